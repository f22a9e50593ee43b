"""What runs of black boxes show."""
