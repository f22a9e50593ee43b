"""The command line, ``ibench``."""
