"""What is kept in memory of runs of very many episodes: a bit, or a few bytes, each."""
