"""Self-play training of opponents."""
