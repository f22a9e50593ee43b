"""Starts a pool of processes."""
# ends: processes, forbidden, exception


def attack(world):
    import multiprocessing

    multiprocessing.Pool(4)
