"""Self-play training of opponents."""

RUN = "run.json"
"""The file that makes a folder that of a training run; named here, where nothing needs PyTorch."""
