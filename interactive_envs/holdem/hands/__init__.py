"""What cards are worth: the best five of seven, and shares of a pot."""
