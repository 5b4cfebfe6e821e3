"""CheckpointManager: saves checkpoints in a directory and deletes the oldest."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.engines.processes import team
from whygrad.modules import checkpoint_state
from whygrad.modules.checkpoint import SUFFIX, Checkpoint
from whygrad.values.errors import OpValueError
from whygrad.values.tensor import whole_value
from whygrad.values.variable import Variable


@export("train.CheckpointManager")
class CheckpointManager:
    """Saves checkpoints in a directory under numbers, and keeps the last `max_to_keep` of them (None: all).

    One checkpoint in `keep_checkpoint_every_n_hours` is never deleted. With `checkpoint_interval`, `save` does nothing until
    `step_counter` has advanced by that many steps.

    >>> import os, tempfile, whygrad as tf
    >>> checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=2)
    ...     for _ in range(3):
    ...         path = manager.save()
    ...     [os.path.basename(path) for path in manager.checkpoints]
    ['ckpt-2', 'ckpt-3']
    """

    def __init__(
        self,
        checkpoint: Checkpoint,
        directory: Any,
        max_to_keep: int | None,
        keep_checkpoint_every_n_hours: float | None = None,
        checkpoint_name: str = "ckpt",
        step_counter: Variable | None = None,
        checkpoint_interval: int | None = None,
        init_fn: Callable[[], Any] | None = None,
        last_checkpoint_step: int | None = None,
    ) -> None:
        if max_to_keep is not None and max_to_keep <= 0:
            raise OpValueError(f"Expected a positive integer or `None` for `max_to_keep`, got {max_to_keep}.")
        if checkpoint_interval is not None and step_counter is None:
            raise OpValueError("`step_counter` should be passed if `checkpoint_interval` is not None.")
        self._checkpoint = checkpoint
        self._directory: str = os.fspath(directory)
        self._max_to_keep = max_to_keep
        self._hours = keep_checkpoint_every_n_hours
        self._name = checkpoint_name
        self._step_counter = step_counter
        self._interval = checkpoint_interval
        self._init_fn = init_fn
        self._last_step = last_checkpoint_step
        self._saved: dict[str, float] = {}  # paths that may be deleted, oldest first, with the times of saving
        self._latest: str | None = None
        self._preserved = time.time()
        state = checkpoint_state.read(self._directory)
        if state is not None:
            # Only managers write times. Checkpoints saved by hand have none: they can be restored, but are never deleted.
            times = zip(state.all_model_checkpoint_paths, state.all_model_checkpoint_timestamps)
            self._saved = {path: saved for path, saved in times if os.path.isfile(path + SUFFIX)}
            recorded = state.model_checkpoint_path
            self._latest = next(reversed(self._saved), recorded if os.path.isfile(recorded + SUFFIX) else None)
            self._preserved = state.last_preserved_timestamp or self._preserved

    @property
    def directory(self) -> str:
        """The directory of the checkpoints."""
        return self._directory

    @property
    def checkpoint(self) -> Checkpoint:
        """The checkpoint that is saved."""
        return self._checkpoint

    @property
    def checkpoint_interval(self) -> int | None:
        """The least number of steps between two checkpoints."""
        return self._interval

    @property
    def checkpoints(self) -> list[str]:
        """The paths of the checkpoints that may still be deleted, oldest first."""
        return list(self._saved)

    @property
    def latest_checkpoint(self) -> str | None:
        """The path of the latest checkpoint, or None."""
        return self._latest

    def save(self, checkpoint_number: Any = None, check_interval: bool = True, options: Any = None) -> str | None:
        """Save a checkpoint, delete the oldest, and return the path; return None before the interval has passed."""
        step = None if self._step_counter is None else int(whole_value(self._step_counter.value_here))
        if self._is_too_early(step, check_interval):
            return None
        number = None if checkpoint_number is None else int(checkpoint_number)
        path = self._checkpoint._numbered(os.path.join(self._directory, self._name), number)
        self._last_step = step
        self._saved.pop(path, None)
        self._saved[path] = time.time()
        self._latest = path
        # Written before anything is deleted: the latest checkpoint in the state exists at every moment.
        self._write_state()
        if self._delete_old():
            self._write_state()
        return path

    def _is_too_early(self, step: int | None, check_interval: bool) -> bool:
        if self._interval is None or step is None or self._last_step is None:
            return False
        return step - self._last_step < (self._interval if check_interval else 1)  # never twice at one step

    def _delete_old(self) -> bool:
        old = list(self._saved)[: -self._max_to_keep] if self._max_to_keep is not None else []
        for path in old:
            saved = self._saved.pop(path)
            if self._hours is not None and saved - self._preserved >= self._hours * 3600:
                self._preserved = saved  # this one is never deleted
                continue
            if team.index == 0:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path + SUFFIX)
        return bool(old)

    def _write_state(self) -> None:
        latest = self.latest_checkpoint
        if latest is not None:
            state = checkpoint_state.CheckpointState(
                latest, list(self._saved), list(self._saved.values()), self._preserved
            )
            team.first(
                lambda: checkpoint_state.write(self._directory, state), f"writing the state of {self._directory}"
            )

    def restore_or_initialize(self) -> str | None:
        """Restore the latest checkpoint and return its path; if there is none, call `init_fn` and return None."""
        latest = self.latest_checkpoint
        if latest is not None:
            self._checkpoint.restore(latest).expect_partial()
            if self._step_counter is not None:
                self._last_step = int(whole_value(self._step_counter.value_here))
            return latest
        if self._init_fn is not None:
            self._init_fn()
        return None

    def sync(self) -> None:
        """Do nothing: files are complete when `save` returns."""
