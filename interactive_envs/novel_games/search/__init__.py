"""Players of any game: tree search, exact values, policy and value networks."""
