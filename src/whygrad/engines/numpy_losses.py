"""NumPy kernels for losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.engines.numpy_reductions import is_half

Array = Any


class LossKernels:
    """The part of the NumPy engine that computes losses."""

    def softmax_cross_entropy_with_logits(self, labels: Array, logits: Array, *, axis: int) -> Array:
        """The sum along `axis` of labels times -log(softmax(logits)); halves are summed in float32."""
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
        """-log(softmax(logits)) at the position `labels` of the last axis; halves are summed in float32."""
        dtype = logits.dtype
        shifted, total = _shifted(logits.astype(np.float32) if is_half(dtype) else logits, -1)
        loss = np.log(total[..., 0]) - shifted.reshape(-1)[_flat_positions(labels, logits)].reshape(labels.shape)
        return loss.astype(dtype, copy=False)

    def softmax_beyond_label(self, labels: Array, logits: Array) -> Array:
        """softmax(logits) less 1 at the position `labels` of the last axis."""
        shares = np.array(self.softmax(logits, axis=-1))  # type: ignore[attr-defined]
        shares.reshape(-1)[_flat_positions(labels, logits)] -= 1
        return shares

    def sigmoid_cross_entropy_with_logits(self, labels: Array, logits: Array) -> Array:
        """log(1 + exp(logits)) - labels * logits, in which nothing overflows."""
        return np.maximum(logits, 0) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


def _shifted(logits: Array, axis: int) -> tuple[Array, Array]:
    """Logits less their maximum along `axis`, so that no power overflows, and the sum of their powers there."""
    if not logits.size:
        return logits, np.add.reduce(logits, axis=axis, keepdims=True)
    shifted = logits - np.maximum.reduce(logits, axis=axis, keepdims=True)
    return shifted, np.add.reduce(np.exp(shifted), axis=axis, keepdims=True)


def _flat_positions(labels: Array, logits: Array) -> Array:
    """Where each row's label is once all axes are made one."""
    classes = logits.shape[-1]
    return np.arange(0, logits.size, classes) + labels.reshape(-1)
