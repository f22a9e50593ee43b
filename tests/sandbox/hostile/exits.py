"""Ends as if all were well."""
# ends: exception


def attack(world):
    raise SystemExit(0)
