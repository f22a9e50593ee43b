"""No-limit Texas hold'em on PokerKit."""
