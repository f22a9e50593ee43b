"""The experiments of the five papers, to be run with any player: ours beside the published numbers."""
