"""Games from elsewhere: gg-bench's release as folders."""
