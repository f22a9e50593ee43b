"""Write ``catalog.json`` from the classes, and how random games of the package's games go.

``python -m tools.catalog``, or ``make catalog``; a second for each game whose code is new.
"""

from interactive_envs.catalog import build
from interactive_envs.novel_games import admission

if __name__ == "__main__":
    build.main()
    admission.keep_traces()
