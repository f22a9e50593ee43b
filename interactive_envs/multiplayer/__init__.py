"""Games for several seats, seen from one seat or from all."""
