"""Thin adapters to the loggers of others. Each package is imported when its logger is made."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_private_folder, read_text

PROJECT = "ibench"
"""The project or experiment where none is named."""
MOST_METRICS = 1000
"""Numbers that MLflow takes in one request."""
MOST_LETTERS = 500
"""Of a parameter of MLflow; every version takes as many."""


class TensorBoard:
    """Event files for TensorBoard.

    Args:
        target: folder of several runs, each with a folder of its own; "" for ``tensorboard/`` in the run's folder.
        folder: of the run.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self._writers = _package("tensorboard.summary.writer.event_file_writer", "TensorBoard", "tensorboard")
        self._proto = {
            name: getattr(importlib.import_module(f"tensorboard.compat.proto.{module}_pb2"), name)
            for name, module in (("Event", "event"), ("Summary", "summary"), ("SummaryMetadata", "summary"))
        } | {"TensorProto": importlib.import_module("tensorboard.compat.proto.tensor_pb2").TensorProto}
        self._target, self._folder = target, folder

    def start(self, name: str, config: Mapping[str, Any]) -> None:
        """Begin a file; the configuration is a text."""
        place = Path(self._target).expanduser() / name if self._target else self._folder / "tensorboard"
        self._writer = self._writers.EventFileWriter(str(make_private_folder(place)))
        text = json.dumps(config, indent=1, ensure_ascii=False)
        text = "\t" + text.replace("\n", "\n\t")  # Markdown shows it as it is
        plugin = self._proto["SummaryMetadata"].PluginData(plugin_name="text")
        metadata = self._proto["SummaryMetadata"](plugin_data=plugin)
        tensor = self._proto["TensorProto"](dtype="DT_STRING", string_val=[text.encode("utf-8", "replace")])
        self._add(0, [self._proto["Summary"].Value(tag="config", metadata=metadata, tensor=tensor)])

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Add an event, readable at once."""
        self._add(step, [self._proto["Summary"].Value(tag=name, simple_value=value) for name, value in values.items()])

    def finish(self) -> None:
        """Close the file."""
        self._writer.close()

    def abandon(self) -> None:
        """Do nothing: only its own threads wait."""

    def _add(self, step: int, values: list[Any]) -> None:
        summary = self._proto["Summary"](value=values)
        self._writer.add_event(self._proto["Event"](wall_time=time.time(), step=step, summary=summary))
        self._writer.flush()


class WandB:
    """A run of Weights & Biases; its local files lie in the run's folder.

    Args:
        target: ``PROJECT`` or ``ENTITY/PROJECT``; "" for ``WANDB_PROJECT``, else :data:`PROJECT`.
        folder: of the run. The run's id is kept in it: what is resumed goes on in the same run.

    Raises:
        ConfigError: there are no credentials, and the mode is not offline.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self._wandb = _package("wandb", "Weights & Biases", "wandb")
        self._entity, _, self._project = (target or os.environ.get("WANDB_PROJECT") or PROJECT).rpartition("/")
        self._folder = folder
        online = self._wandb.setup(self._wandb.Settings(silent=True)).settings.mode in ("online", "shared")
        if online and not self._wandb.login(prompt=False, verify=False):
            raise ConfigError("Weights & Biases has no API key here: run wandb login, or set WANDB_MODE=offline")

    def start(self, name: str, config: Mapping[str, Any]) -> None:
        """Begin a run; nothing is sent of this machine, the command line, the code or what is printed."""
        kept = kept_run(self._folder, "wandb") or uuid.uuid4().hex[:8]
        keep_run(self._folder, "wandb", kept)
        self._run = self._wandb.init(
            entity=self._entity or None,
            project=self._project,
            name=name,
            id=kept,
            resume="allow",
            reinit="create_new",
            dir=str(self._folder),
            config=dict(config),
            settings=self._wandb.Settings(
                silent=True,
                console="off",
                disable_git=True,
                disable_code=True,
                save_code=False,
                x_disable_meta=True,
                x_disable_stats=True,
                x_disable_machine_info=True,
                x_save_requirements=False,
                finish_timeout=10.0,
            ),
        )

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Log them; the latest are the run's summary."""
        self._run.log(dict(values), step=step)

    def finish(self) -> None:
        """Wait until everything is sent."""
        self._run.finish()

    def abandon(self) -> None:
        """Wait no more for the process of its service, which goes on alone and sends what it can."""
        self._wandb.teardown()  # takes back what would wait at the end of this process, then waits in this thread


class MLflow:
    """A run of MLflow.

    Args:
        target: an experiment; or, where it holds ``://``, a tracking URI; "" for what ``MLFLOW_EXPERIMENT_NAME`` and
            ``MLFLOW_TRACKING_URI`` say, else the experiment :data:`PROJECT` at MLflow's own default.
        folder: of the run. The run's id is kept in it: what is resumed goes on in the same run.
    """

    def __init__(self, target: str, folder: Path) -> None:
        self._mlflow = _package("mlflow", "MLflow", "mlflow")
        self._entities = importlib.import_module("mlflow.entities")
        self._uri = target if "://" in target else None
        named = "" if self._uri else target
        self._experiment = named or os.environ.get("MLFLOW_EXPERIMENT_NAME") or PROJECT
        self._folder = folder

    def start(self, name: str, config: Mapping[str, Any]) -> None:
        """Begin a run; its parameters are cut short, ``config.json`` among its artifacts is whole."""
        self._client = self._mlflow.MlflowClient(tracking_uri=self._uri)
        kept = kept_run(self._folder, "mlflow")
        if kept is not None:
            with contextlib.suppress(self._mlflow.MlflowException):  # of another server: a new run begins
                self._id = self._client.get_run(kept).info.run_id
                self._client.update_run(self._id, status="RUNNING")
                return
        known = self._client.get_experiment_by_name(self._experiment)
        experiment = known.experiment_id if known else self._client.create_experiment(self._experiment)
        self._id = self._client.create_run(experiment, run_name=name).info.run_id
        keep_run(self._folder, "mlflow", self._id)
        texts = {key: value if isinstance(value, str) else json.dumps(value) for key, value in config.items()}
        params = [self._entities.Param(key, value[:MOST_LETTERS]) for key, value in texts.items()]
        self._client.log_batch(self._id, params=params)
        self._client.log_dict(self._id, dict(config), "config.json")

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Log them with the time of now."""
        now = int(time.time() * 1000)
        metrics = [self._entities.Metric(name, value, now, step) for name, value in values.items()]
        for begin in range(0, len(metrics), MOST_METRICS):
            self._client.log_batch(self._id, metrics=metrics[begin : begin + MOST_METRICS])

    def finish(self) -> None:
        """Mark the run as finished."""
        self._client.set_terminated(self._id)

    def abandon(self) -> None:
        """Do nothing: nothing of it outlives its calls."""


def _package(module: str, what: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError(f"logging to {what}", extra) from error


def kept_run(folder: Path, logger: str) -> str | None:
    """The service's id of the run that the folder was logged to before, None for none."""
    try:
        found = re.fullmatch(r"[0-9a-f]{8,32}", read_text(folder / f".{logger}-run").strip())
    except (OSError, ConfigError):
        return None
    return found and found[0]


def keep_run(folder: Path, logger: str, run: str) -> None:
    """Keep the service's id of a run in its folder."""
    write_atomically(folder / f".{logger}-run", f"{run}\n")
