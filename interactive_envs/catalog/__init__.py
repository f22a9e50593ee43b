"""Every environment, family, player, judge and probe by name; reading it imports no family."""

from interactive_envs.catalog.read import attribute, entry, families, family, ids, load, table

__all__ = ["attribute", "entry", "families", "family", "ids", "load", "table"]
