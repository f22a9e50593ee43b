"""The trust game: an iterated prisoner's dilemma whose end nobody knows."""
