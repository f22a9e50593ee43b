"""Pages as pictures and trees."""
