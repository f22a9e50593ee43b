"""The embedded model's process: llama.cpp's server on a loopback port, until standard input ends.

Run by :mod:`interactive_envs.llm.local` as ``python local_server.py WEIGHTS THREADS CONTEXT BATCH CACHE_MIB``; it
imports the engine only. The first line it prints is its address.
"""

import os
import sys


def main(weights: str, threads: int, context: int, batch: int, cache_mib: int) -> None:
    """Serve until the parent closes our standard input, which its death does too."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = weights
    settings.model_alias = {"local"}
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.offline, settings.ui, settings.verbosity = True, False, 0
    settings.n_ctx, settings.n_parallel, settings.n_ubatch = context, 1, batch
    settings.cache_ram_mib = cache_mib
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    os._exit(0)  # a reply still being computed is for nobody; there is nothing to save


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
