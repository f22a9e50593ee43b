"""Properties that every environment must have."""
