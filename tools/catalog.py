"""Write ``catalog.json`` from the classes: ``python -m tools.catalog``, or ``make catalog``."""

from interactive_envs.catalog import build

if __name__ == "__main__":
    build.main()
