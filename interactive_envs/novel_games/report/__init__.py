"""What runs of generated games show."""
