"""The file `checkpoint` of a directory, in TensorFlow's text format: its checkpoints, and which is the latest."""

from __future__ import annotations

import codecs
import json
import math
import os
import re
from dataclasses import dataclass, field

from whygrad._public import export
from whygrad.modules.safetensors import replacing
from whygrad.values.errors import DataLossError, OpValueError


@dataclass
class CheckpointState:
    """The contents of the file, with paths relative to the working directory."""

    model_checkpoint_path: str
    all_model_checkpoint_paths: list[str]
    all_model_checkpoint_timestamps: list[float] = field(default_factory=list)
    last_preserved_timestamp: float | None = None


def read(directory: str, filename: str | None = None) -> CheckpointState | None:
    """The state of a directory; None if there is no such file."""
    path = os.path.join(directory, filename or "checkpoint")
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError:
        return None
    try:
        return _parsed(raw.decode("utf-8"), directory)
    except (ValueError, RecursionError) as error:
        raise DataLossError(
            None,
            None,
            f"{path} cannot be read: {error}. It says which checkpoint of the directory is the latest; delete it, or restore a "
            "checkpoint by its own path.",
        ) from None


def _parsed(text: str, directory: str) -> CheckpointState:
    fields: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = re.fullmatch(r"\s*(\w+)\s*:\s*(.+?)\s*", line)
        if match is None:
            raise OpValueError(f"line {number} is {line!r:.60}, not a name and a value")
        fields.setdefault(match[1], []).append(match[2])
    latest = fields.get("model_checkpoint_path", [])
    if len(latest) != 1:
        raise OpValueError(f"model_checkpoint_path occurs {len(latest)} times where it should occur once")
    preserved = fields.get("last_preserved_timestamp", [])
    return CheckpointState(
        os.path.join(directory, _path(latest[0])),
        [os.path.join(directory, _path(each)) for each in fields.get("all_model_checkpoint_paths", [])],
        [_time(each) for each in fields.get("all_model_checkpoint_timestamps", [])],
        _time(preserved[-1]) if preserved else None,
    )


def _path(text: str) -> str:
    """A quoted path: as JSON, which we write, or with octal escapes, as TensorFlow writes it."""
    quote = text[:1]
    if len(text) < 2 or quote not in ("'", '"') or text[-1] != quote:
        raise OpValueError(f"{text!r:.60} is not a path in quotes")
    try:
        path = str(json.loads(text))
    except ValueError:
        path = codecs.escape_decode(text[1:-1].encode())[0].decode("utf-8")
    if not path or "\0" in path:
        raise OpValueError(f"{text!r:.60} is not a path")
    return path


def _time(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = math.nan
    if not math.isfinite(time):
        raise OpValueError(f"{text!r:.60} is not a time in seconds")
    return time


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
