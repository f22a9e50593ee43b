"""Every environment, family, player, judge and probe by name; reading it imports no family."""

from interactive_envs.catalog.read import entry, ids, load, table

__all__ = ["entry", "ids", "load", "table"]
