"""What runs of query games show."""
