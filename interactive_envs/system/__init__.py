"""What touches the machine: files, processes, the terminal, modules of the user's."""
