"""The batches that the last calls of a compiled function took from its iterator, so that these calls can be repeated.

The function itself puts each batch into a staging area of TensorFlow's, which holds tensors without a copy. How many it may hold at
most is read from a variable: after the witness has stopped, that is none.
"""

from __future__ import annotations

import itertools
from typing import Any

from whygrad.on_tensorflow.internals import Internals

MOST_BATCHES = 16
_numbers = itertools.count()


class RepeatableBatches:
    """The batches of one function."""

    def __init__(self, batch: Any, found: Internals) -> None:
        self._found = found
        self._dtypes = [each.dtype for each in batch]
        self._name = f"whygrad_batches_{next(_numbers)}"  # TensorFlow's anonymous name is one for all
        self._ops = found.tensorflow.raw_ops
        with found.tensorflow.init_scope():
            self._limit = found.make_variable(found.tensorflow.int32)
            self.allow(MOST_BATCHES)

    @property
    def _area(self) -> dict[str, Any]:
        return {"dtypes": self._dtypes, "shared_name": self._name}

    def fits(self, batch: Any) -> bool:
        """Whether a batch has the dtypes of the others."""
        return self._dtypes == [each.dtype for each in batch]

    def hold(self, batch: Any) -> None:
        """Hold a batch: called while the function is traced, for each op that takes one."""
        tensorflow = self._found.tensorflow

        def stage() -> Any:
            self._ops.Stage(values=list(batch), shared_name=self._name)
            return tensorflow.no_op()

        limit = self._found.read_variable(self._limit, tensorflow.int32)
        tensorflow.cond(self._ops.StageSize(**self._area) < limit, stage, tensorflow.no_op)

    def put(self, batch: Any) -> None:
        """Hold a batch that no call took."""
        self._ops.Stage(values=list(batch), shared_name=self._name)

    def allow(self, most: int) -> None:
        """Hold at most `most` batches from now on."""
        self._found.assign_variable(self._limit, self._found.tensorflow.constant(most))

    def clear(self) -> None:
        """Let go of all batches."""
        self._ops.StageClear(**self._area)

    def __len__(self) -> int:
        return int(self._ops.StageSize(**self._area)._numpy())

    def __getitem__(self, number: int) -> list[Any]:
        """The tensors of a batch, the oldest first."""
        made: list[Any] = self._ops.StagePeek(index=number, **self._area)
        return made
