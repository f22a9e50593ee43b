"""Programs."""
