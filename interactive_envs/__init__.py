"""Interactive reasoning environments for Gymnasium and PettingZoo.

Importing this package registers the ``ibench/…`` ids and nothing heavy.
"""

from __future__ import annotations

from interactive_envs.registration import register_all

__version__ = "0.1.0"

register_all()
