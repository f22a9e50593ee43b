"""How good judges are."""
