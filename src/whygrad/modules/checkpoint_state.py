"""The file `checkpoint` of a directory, in TensorFlow's text format: its checkpoints, and which is the latest."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field

from whygrad._public import export
from whygrad.modules.safetensors import replacing


@dataclass
class CheckpointState:
    """The contents of the file, with paths relative to the working directory."""

    model_checkpoint_path: str
    all_model_checkpoint_paths: list[str]
    all_model_checkpoint_timestamps: list[float] = field(default_factory=list)
    last_preserved_timestamp: float | None = None


def read(directory: str, filename: str | None = None) -> CheckpointState | None:
    """The state of a directory; None if the file is missing or cannot be read."""
    try:
        with open(os.path.join(directory, filename or "checkpoint"), encoding="utf-8") as file:
            lines = re.findall(r"^(\w+): (.+)$", file.read(), re.MULTILINE)
        paths = [
            os.path.join(directory, json.loads(value)) for name, value in lines if name == "all_model_checkpoint_paths"
        ]
        times = [float(value) for name, value in lines if name == "all_model_checkpoint_timestamps"]
        single = dict(lines)
        latest = os.path.join(directory, json.loads(single["model_checkpoint_path"]))
        preserved = single.get("last_preserved_timestamp")
    except (OSError, ValueError, KeyError):
        return None
    return CheckpointState(latest, paths, times, None if preserved is None else float(preserved))


def write(directory: str, state: CheckpointState) -> None:
    """Write the state of a directory. Paths inside it are relative to it, so that the directory can be moved."""

    def quoted(path: str) -> str:
        inside = os.path.dirname(path) == directory
        return json.dumps(os.path.basename(path) if inside else os.path.abspath(path), ensure_ascii=False)

    lines = [f"model_checkpoint_path: {quoted(state.model_checkpoint_path)}"]
    lines += [f"all_model_checkpoint_paths: {quoted(path)}" for path in state.all_model_checkpoint_paths]
    lines += [f"all_model_checkpoint_timestamps: {time!r}" for time in state.all_model_checkpoint_timestamps]
    if state.last_preserved_timestamp is not None:
        lines.append(f"last_preserved_timestamp: {state.last_preserved_timestamp!r}")
    with replacing(os.path.join(directory, "checkpoint")) as path, open(path, "wb") as file:
        file.write(("\n".join(lines) + "\n").encode())


@export("train.get_checkpoint_state")
def get_checkpoint_state(checkpoint_dir: str, latest_filename: str | None = None) -> CheckpointState | None:
    """The contents of the file `checkpoint` of a directory, or None.

    >>> import whygrad as tf
    >>> tf.train.get_checkpoint_state("there/is/none") is None
    True
    """
    return read(os.fspath(checkpoint_dir), latest_filename)
