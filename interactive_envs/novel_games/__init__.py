"""Two-player games as folders of rules and code: format, host, search and environments."""
