"""NumPy kernels for losses."""

from __future__ import annotations

import functools
import weakref
from typing import Any

import numpy as np

from whygrad.engines.numpy_reductions import MODERATE, is_half, largest, sums_along
from whygrad.values.errors import invalid
from whygrad.values.faults import LabelOutOfRange

Array = Any


class LossKernels:
    """The part of the NumPy engine that computes losses."""

    def softmax_cross_entropy_with_logits(self, labels: Array, logits: Array, *, axis: int) -> Array:
        """The sum along `axis` of labels times -log(softmax(logits)); half precision is summed in float32."""
        if not logits.size:
            return np.zeros(logits.shape[:axis] + logits.shape[axis + 1 :], logits.dtype)
        dtype = logits.dtype
        if is_half(dtype):
            labels, logits = labels.astype(np.float32), logits.astype(np.float32)
        surprise, total = _shifted(logits, axis)
        np.subtract(np.log(total), surprise, out=surprise)
        surprise *= labels
        return np.add.reduce(surprise, axis=axis).astype(dtype, copy=False)

    def sparse_softmax_cross_entropy_with_logits(self, labels: Array, logits: Array) -> Array:
        """-log(softmax(logits)) at the position `labels` of the last axis; half precision is summed in float32."""
        _check_labels(labels, logits.shape[-1])
        dtype = logits.dtype
        wide = np.ascontiguousarray(logits, np.float32 if is_half(dtype) else None)
        positions = _flat_positions(labels, logits)
        # Relative to the label's logit, the sum of exp is at least 1 and its logarithm is the loss, unless a logit is far above.
        shifted = wide - wide.reshape(-1)[positions].reshape(*labels.shape, 1)
        if shifted.size and largest(shifted) < MODERATE:
            powers = np.exp(shifted, out=shifted)
            totals = sums_along(powers, -1)
            loss = np.log(totals[..., 0])
            if wide is logits and logits.nbytes <= _LITTLE:
                _powers_of_last["loss"] = weakref.ref(logits), labels, positions, powers, totals
        else:
            shifted, total = _shifted(wide, -1)
            loss = np.log(total[..., 0]) - shifted.reshape(-1)[positions].reshape(labels.shape)
        return loss.astype(dtype, copy=False)

    def softmax_minus_one_hot(self, labels: Array, logits: Array) -> Array:
        """softmax(logits), minus 1 at the position `labels` of the last axis."""
        if not logits.size:
            return logits
        last = _powers_of_last.pop("loss", None)
        if last is not None and last[0]() is logits and last[1] is labels:
            _, _, positions, shares, totals = last
            shares /= totals
        else:
            positions = _flat_positions(labels, logits)
            shares = np.ascontiguousarray(self.softmax(logits, axis=-1))  # type: ignore[attr-defined]
        shares.reshape(-1)[positions] -= 1  # a view, since shares is contiguous
        return shares

    def sigmoid_cross_entropy_with_logits(self, labels: Array, logits: Array) -> Array:
        """log(1 + exp(logits)) - labels * logits, without overflow."""
        return np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))

    def class_to_states(self, x: Array, states: Array) -> Array:
        """`x`, (time, sequence, class), at the class of each state of each sequence."""
        return x[:, np.arange(len(states))[:, None], states]

    def states_to_class(self, x: Array, states: Array, *, classes: int) -> Array:
        """`x`, (time, sequence, state), summed over the states of each class."""
        out = np.zeros((*x.shape[:2], classes), x.dtype)
        everyone = np.arange(len(states))
        for state in range(states.shape[1]):
            out[:, everyone, states[:, state]] += x[:, :, state]
        return out

    def isotonic_regression(self, x: Array) -> tuple[Array, Array]:
        """Along the last axis, the closest non-increasing sequence, and the segment id of each element."""
        segments = np.empty(x.shape, np.int32)
        rows = x.reshape(-1, x.shape[-1]) if x.size else x.reshape(0, 0)
        numbers = segments.reshape(rows.shape)
        for row, out in zip(rows, numbers):
            sizes = _falling_segments(row.tolist())
            out[:] = np.repeat(np.arange(len(sizes)), sizes)
        return self.segment_means(x, segments), segments

    def segment_means(self, x: Array, segments: Array) -> Array:
        """Along the last axis, each element's mean over its segment; segment ids count up from 0."""
        if not x.size:
            return x
        count = x.shape[-1]
        places = (segments.reshape(-1, count) + np.arange(0, x.size, count)[:, None]).reshape(-1)
        sums = np.bincount(places, weights=x.reshape(-1).astype(np.float64), minlength=x.size)
        sizes = np.bincount(places, minlength=x.size)
        return (sums[places] / sizes[places]).reshape(x.shape).astype(x.dtype)


# What the last sparse cross entropy computed, if it is small: its derivative, which most likely comes next, reads it and overwrites
# it. Keeping it with the loss would hold as much memory again as the logits.
_powers_of_last: dict[str, tuple[Any, ...]] = {}
_LITTLE = 1 << 20  # bytes


def _falling_segments(values: list[float]) -> list[int]:
    """The sizes of the segments with non-increasing means: increasing neighbours are pooled until none are left."""
    means: list[float] = []
    sizes: list[int] = []
    for value in values:
        mean, size = value, 1
        while means and means[-1] < mean:
            before = sizes.pop()
            mean = (means.pop() * before + mean * size) / (before + size)
            size += before
        means.append(mean)
        sizes.append(size)
    return sizes


def _shifted(logits: Array, axis: int) -> tuple[Array, Array]:
    """Logits minus their maximum along `axis`, so that exp cannot overflow, and the sum of exp along it."""
    if not logits.size:
        return logits, np.add.reduce(logits, axis=axis, keepdims=True)
    shifted = logits - np.maximum.reduce(logits, axis=axis, keepdims=True)
    return shifted, sums_along(np.exp(shifted), axis)


def _check_labels(labels: Array, count: int) -> None:
    """Refuse class ids that are none of the classes. Done here, so that functions which run op by op do it at each call."""
    # Viewed as unsigned, negative labels are too large as well: one check is enough.
    if labels.size and largest(labels.view(_UNSIGNED[labels.itemsize])) >= count:
        least, most = labels.min(), labels.max()
        shown = f".  Label values: {' '.join(map(str, labels.reshape(-1).tolist()))}"
        label = int(least if least < 0 else most)
        op_name = "SparseSoftmaxCrossEntropyWithLogits"
        raise invalid(LabelOutOfRange(label=label, count=count, shown=shown, least=int(least), op=op_name))


_UNSIGNED: dict[int, np.dtype[Any]] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


def _flat_positions(labels: Array, logits: Array) -> Array:
    """The flat index of each row's label."""
    wanted = labels.reshape(-1)
    return (_starts if wanted.nbytes <= _LITTLE else _starts.__wrapped__)(logits.size, logits.shape[-1]) + wanted


@functools.lru_cache(8)
def _starts(size: int, classes: int) -> Array:
    """The flat index at which each row begins."""
    return np.arange(0, size, classes)
