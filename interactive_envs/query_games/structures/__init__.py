"""The structures whose hidden states are asked about."""
