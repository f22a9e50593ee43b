"""Policy and value networks as plain arrays: inference in NumPy, files that hold numbers and text only."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Layer = tuple[Any, Any]
"""Weights of shape (inputs, outputs) and biases of shape (outputs,), float32."""
ACTIVATIONS = ("tanh", "relu")
PARTS = ("trunk", "policy", "value")
FORMATS = (1, 2)
"""1 holds the weights themselves, 2 whole numbers and how much one of them is."""
STEPS = 127
"""The greatest weight of a unit in whole numbers of 8 bits."""
_NEVER = -700.0
"""Logit below which a chance is as good as none, and numbers would run out."""
MOST_BYTES = 64 << 20
"""Of a file, and of what it unpacks to; it may come from anybody."""


class Network:
    """A trunk, and on it a policy head and a value head; each a list of layers.

    Hidden layers are activated; the last layer of a head is linear.

    Args:
        trunk: layers that both heads share, may be none.
        policy: layers that end in one logit an action.
        value: layers that end in one number, what the seat to move expects to get (-1 to 1).
        activation: ``tanh`` or ``relu``.
        about: JSON values on where it comes from.
    """

    def __init__(
        self,
        trunk: Sequence[Layer],
        policy: Sequence[Layer],
        value: Sequence[Layer],
        *,
        activation: str = "tanh",
        about: Mapping[str, Any] | None = None,
    ) -> None:
        if activation not in ACTIVATIONS:
            raise ValueError(f"activation must be one of {ACTIVATIONS}, got {activation!r}")
        self.parts = {"trunk": list(trunk), "policy": list(policy), "value": list(value)}
        if not all(np.isfinite(array).all() for part in self.parts.values() for layer in part for array in layer):
            raise ValueError("a weight is no finite number")
        self.activation = activation
        self.about = dict(about or {})
        self._activate = np.tanh if activation == "tanh" else _relu
        heads = [self.parts["policy"], self.parts["value"]]
        self._joint = None
        if all(len(head) == 1 for head in heads):  # one product then, for the search asks one observation at a time
            self._joint = tuple(np.concatenate([head[0][part] for head in heads], axis=-1) for part in range(2))
        self.inputs = int((self.parts["trunk"] or self.parts["policy"])[0][0].shape[0])
        self.actions = int(self.parts["policy"][-1][1].shape[0])

    def forward(self, observations: Any) -> tuple[Any, Any]:
        """Logits of shape (…, actions) and values of shape (…), for observations of shape (…, inputs)."""
        shared = observations
        for weights, biases in self.parts["trunk"]:
            shared = self._activate(shared @ weights + biases)
        if self._joint is not None:
            weights, biases = self._joint
            both = shared @ weights + biases
            return both[..., :-1], _bounded(both[..., -1])
        return self._head("policy", shared), _bounded(self._head("value", shared)[..., 0])

    def logits(self, observations: Any) -> Any:
        """The logits alone."""
        shared = observations
        for weights, biases in self.parts["trunk"]:
            shared = self._activate(shared @ weights + biases)
        return self._head("policy", shared)

    def _head(self, name: str, values: Any) -> Any:
        *hidden, (weights, biases) = self.parts[name]
        for hidden_weights, hidden_biases in hidden:
            values = self._activate(values @ hidden_weights + hidden_biases)
        return values @ weights + biases

    def save(self, path: str | os.PathLike[str], *, small: bool = False) -> None:
        """Write an npz file without pickled objects.

        The file appears whole or not at all.

        Args:
            path: of the file.
            small: weights have 8 bits instead of 32, in steps of a 127th of the greatest of their unit, and biases 16.
        """
        arrays: dict[str, Any] = {}
        for part in PARTS:
            for index, (weights, biases) in enumerate(self.parts[part]):
                at = f"{part}_{index}"
                if small:
                    steps = (np.abs(weights).max(axis=0, initial=0) / STEPS).astype(np.float16)
                    whole = np.rint(weights / np.where(steps > 0, steps, 1)).clip(-STEPS, STEPS).astype(np.int8)
                    arrays |= {f"{at}_weights": whole, f"{at}_steps": steps, f"{at}_biases": biases.astype(np.float16)}
                else:
                    arrays |= {f"{at}_weights": weights.astype(np.float32), f"{at}_biases": biases.astype(np.float32)}
        about = {"format": FORMATS[small], "activation": self.activation, "about": self.about}
        header = json.dumps(about, sort_keys=True)
        arrays["told"] = np.frombuffer(header.encode(), np.uint8)
        # Where foreign games run, this module is there without that one, and saves nothing.
        from interactive_envs.system.files import open_private

        partial = f"{os.fspath(path)}.partial"
        with open_private(partial, "wb") as file:
            np.savez_compressed(file, **arrays)
        os.replace(partial, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Network:
        """Read a file that :meth:`save` wrote.

        Raises:
            ValueError: it is no such file, or would need unpickling.
            FileNotFoundError: there is none.
        """
        # Not above: this module runs in the sandbox, too, where nothing is loaded and the package is not.
        from interactive_envs.errors import ConfigError
        from interactive_envs.system.files import read_bytes

        try:
            content = io.BytesIO(read_bytes(os.fspath(path), largest=MOST_BYTES))
            with zipfile.ZipFile(content) as packed:
                if sum(member.file_size for member in packed.infolist()) > MOST_BYTES:
                    raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20} MB")
            with np.load(content, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            header = json.loads(bytes(arrays.pop("told")))
            if header["format"] not in FORMATS:
                raise ValueError(f"format {header['format']}, this version reads {FORMATS}")
            parts: dict[str, list[Layer]] = {part: [] for part in PARTS}
            for part in PARTS:
                while f"{part}_{len(parts[part])}_weights" in arrays:
                    at = f"{part}_{len(parts[part])}"
                    weights, biases = (arrays[f"{at}_{what}"].astype(np.float32) for what in ("weights", "biases"))
                    if header["format"] == 2:
                        weights *= arrays[f"{at}_steps"].astype(np.float32)
                    parts[part].append((weights, biases))
            return cls(
                parts["trunk"], parts["policy"], parts["value"], activation=header["activation"], about=header["about"]
            )
        except (FileNotFoundError, ConfigError):
            raise
        except Exception as error:  # whatever NumPy says of a file that is none of ours
            raise ValueError(f"{os.fspath(path)} is no checkpoint: {error}") from error

    def as_json(self) -> dict[str, Any]:
        """JSON values that :meth:`from_json` reads: how a network enters the sandbox."""
        layers = {part: [[w.tolist(), b.tolist()] for w, b in self.parts[part]] for part in PARTS}
        return {"activation": self.activation, **layers}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Network:
        """Back from JSON values."""
        parts = [[(np.asarray(w, np.float32), np.asarray(b, np.float32)) for w, b in record[part]] for part in PARTS]
        return cls(*parts, activation=record["activation"])


def checkpoints_in(folder: Path) -> list[Path]:
    """The checkpoints of a training run or a game folder, the earliest first."""
    named = {path: path.stem.partition("-")[2] for path in folder.glob("checkpoint-*.npz")}
    return sorted((path for path, steps in named.items() if steps.isdecimal()), key=lambda path: int(named[path]))


def masked_softmax(logits: Any, legal: Sequence[int]) -> Any:
    """Probabilities of the legal actions, in their order."""
    chosen = logits[legal]
    weights = np.exp(chosen - np.maximum.reduce(chosen))  # what max() and sum() do, sooner
    return weights / np.add.reduce(weights)


def draw(logits: Any, legal: Sequence[int], temperature: float, rng: np.random.Generator) -> int:
    """One of the legal actions.

    Args:
        logits: shape (actions,).
        legal: in their order; not empty.
        temperature: 1 draws from the softmax, 0 takes the greatest logit, the first of equal ones.
        rng: decides.
    """
    if temperature == 0:
        return max(legal, key=lambda action: float(logits[action]))
    sharpened = (logits.astype(float) - logits[legal].max()) / temperature
    chances = masked_softmax(np.maximum(sharpened, _NEVER), legal)
    return int(legal[int(rng.choice(len(legal), p=chances / chances.sum()))])


def sample_masked(logits: Any, masks: Any, uniforms: Any) -> Any:
    """One action a row, drawn from the softmax of the legal logits.

    Args:
        logits: shape (n, actions).
        masks: shape (n, actions), True where legal.
        uniforms: shape (n,), numbers in [0, 1) that decide.
    """
    shifted = np.where(masks, logits - logits.max(axis=1, keepdims=True, where=masks, initial=-np.inf), -np.inf)
    totals = np.cumsum(np.exp(shifted), axis=1)
    # the first place where the running total passes the draw; never an illegal one, whose weight is 0
    return (totals <= (uniforms * totals[:, -1])[:, None]).sum(axis=1).clip(max=masks.shape[1] - 1)


def _bounded(values: Any) -> Any:
    """From -1 to 1; ``np.clip`` takes longer than a head on one observation, and Python less on one number."""
    if values.ndim == 0:
        return min(max(float(values), -1.0), 1.0)
    return np.minimum(np.maximum(values, -1), 1)


def _relu(values: Any) -> Any:
    return np.maximum(values, 0)
