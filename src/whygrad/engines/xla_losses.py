"""XLA kernels for losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.engines.numpy_reductions import is_half

Array = Any


class LossKernels:
    """The part of the XLA engine that computes losses."""

    jax: Any
    jnp: Any
    lax: Any

    def softmax_cross_entropy_with_logits(self, labels: Array, logits: Array, *, axis: int) -> Array:
        """The sum along `axis` of labels times -log(softmax(logits)); half precision is summed in float32."""
        if not logits.size:
            return self.jnp.zeros(logits.shape[:axis] + logits.shape[axis + 1 :], logits.dtype)
        dtype = logits.dtype
        if is_half(dtype):
            labels, logits = labels.astype(np.float32), logits.astype(np.float32)
        shifted, total = self._shifted(logits, axis)
        return self.jnp.sum((self.jnp.log(total) - shifted) * labels, axis=axis).astype(dtype)

    def sparse_softmax_cross_entropy_with_logits(self, labels: Array, logits: Array) -> Array:
        """-log(softmax(logits)) at the position `labels` of the last axis; nan for labels out of range."""
        if not logits.size:
            return self.jnp.zeros(labels.shape, logits.dtype)
        dtype = logits.dtype
        shifted, total = self._shifted(logits.astype(np.float32) if is_half(dtype) else logits, -1)
        chosen = self.jnp.take_along_axis(shifted, labels[..., None], axis=-1, mode="clip")[..., 0]
        return self._for_labels(labels, logits, self.jnp.log(total[..., 0]) - chosen).astype(dtype)

    def softmax_minus_one_hot(self, labels: Array, logits: Array) -> Array:
        """softmax(logits), minus 1 at the position `labels` of the last axis; nan for labels out of range."""
        if not logits.size:
            return logits
        shifted, total = self._shifted(logits.astype(np.float32) if is_half(logits.dtype) else logits, -1)
        shares = (self.jnp.exp(shifted) / total).astype(logits.dtype)
        classes = self.lax.broadcasted_iota(labels.dtype, logits.shape, logits.ndim - 1)
        beyond = shares - (classes == labels[..., None]).astype(shares.dtype)
        return self._for_labels(labels[..., None], logits, beyond)

    def _for_labels(self, labels: Array, logits: Array, values: Array) -> Array:
        """`values` where labels are in range, else nan: compiled code cannot raise."""
        are = (labels >= 0) & (labels < logits.shape[-1])
        return self.jnp.where(are, values, values.dtype.type(np.nan))

    def _shifted(self, logits: Array, axis: int) -> tuple[Array, Array]:
        """Logits minus their maximum along `axis`, so that exp cannot overflow, and the sum of exp along it.

        On a GPU, XLA would fuse maximum and difference, and write all differences to memory. They are cheap to compute where they are
        used: the barrier saves a third of the time of a loss over 8,192 words and its gradient.
        """
        largest = self.jnp.max(logits, axis=axis, keepdims=True)
        if self.platform() == "gpu":  # type: ignore[attr-defined]
            largest = self.lax.optimization_barrier(largest)
        shifted = logits - largest
        return shifted, self.jnp.sum(self.jnp.exp(shifted), axis=axis, keepdims=True)

    def sigmoid_cross_entropy_with_logits(self, labels: Array, logits: Array) -> Array:
        """log(1 + exp(logits)) - labels * logits, without overflow."""
        return (
            self.jnp.maximum(logits, np.zeros((), logits.dtype))
            - logits * labels
            + self.jnp.log1p(self.jnp.exp(-self.jnp.abs(logits)))
        )

    def class_to_states(self, x: Array, states: Array) -> Array:
        """`x`, (time, sequence, class), at the class of each state of each sequence."""
        return self.jnp.asarray(x)[:, np.arange(len(states))[:, None], states]

    def states_to_class(self, x: Array, states: Array, *, classes: int) -> Array:
        """`x`, (time, sequence, state), summed over the states of each class."""
        zeros = self.jnp.zeros((*x.shape[:2], classes), x.dtype)
        return zeros.at[:, np.arange(len(states))[:, None], states].add(x)

    def isotonic_regression(self, x: Array) -> tuple[Array, Array]:
        """Along the last axis, the closest non-increasing sequence, and the segment id of each element."""
        return self.on_host("isotonic_regression", x, of=[(x.shape, x.dtype), (x.shape, np.int32)])  # type: ignore[attr-defined,no-any-return]

    def segment_means(self, x: Array, segments: Array) -> Array:
        """Along the last axis, each element's mean over its segment; segment ids count up from 0."""
        if not x.size:
            return x
        count = x.shape[-1]
        places = segments.reshape(-1, count) + np.arange(0, x.size, count)[:, None]
        zeros = self.jnp.zeros(x.size, np.float64)
        sums = zeros.at[places.reshape(-1)].add(x.reshape(-1).astype(np.float64))
        sizes = zeros.at[places.reshape(-1)].add(1)
        return (sums / self.jnp.maximum(sizes, 1))[places].reshape(x.shape).astype(x.dtype)
