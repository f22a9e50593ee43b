"""``ibench serve``: play, watch and read in the browser. Everything is served from this machine to this machine."""
