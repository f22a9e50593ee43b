"""Foreign game code behind one interface, vetted or in the sandbox."""
