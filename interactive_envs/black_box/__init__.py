"""ORACLE's black boxes and their endless variants."""
