"""Clip gradients by their own norm, or by their global norm."""

from __future__ import annotations

from typing import Any

from whygrad._public import export
from whygrad.ops.creation import ones_like
from whygrad.ops.elementwise import cast, maximum, minimum, multiply, rsqrt, sqrt, where
from whygrad.ops.linalg_norms import check_list, global_norm
from whygrad.ops.reductions import reduce_sum
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor


@export("clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Any:
    """Scale `t` down so that its Euclidean norm (along `axes`) is at most `clip_norm`.

    >>> import whygrad as tf
    >>> tf.clip_by_norm([3.0, 4.0], 1.0).numpy()
    array([0.6, 0.8], dtype=float32)
    """
    x = convert(t.values if isinstance(t, IndexedSlices) else t, None)
    limit = maximum(convert(clip_norm, None if isinstance(clip_norm, Tensor) else x.dtype), 0)
    squares = reduce_sum(multiply(x, x), axes, keepdims=True)
    positive = squares > 0
    # Take the root of 1 where the sum is 0, so that the gradient there is not nan.
    length = where(positive, sqrt(where(positive, squares, ones_like(squares))), squares)
    scaled = multiply(x, limit)
    if scaled.shape != x.shape:
        raise OpValueError(f"Shapes {x.shape} and {scaled.shape} are incompatible")
    return _like(t, scaled / maximum(length, limit))


@export("clip_by_global_norm")
def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: str | None = None) -> Any:
    """Scale a list of tensors by one factor so that their global norm is at most `clip_norm`; returns the list and the norm.

    None entries stay None. If the norm is not finite, the result is nan.

    >>> import whygrad as tf
    >>> clipped, norm = tf.clip_by_global_norm([tf.constant([3.0, 4.0]), None], 1.0)
    >>> clipped[0].numpy(), clipped[1], norm.numpy()
    (array([0.6, 0.8], dtype=float32), None, np.float32(5.0))
    """
    check_list(t_list)
    length = global_norm(t_list) if use_norm is None else convert(use_norm, None)
    limit = convert(clip_norm, None if isinstance(clip_norm, Tensor) else length.dtype)
    # Adding length - length, which is 0, makes the scale nan where the length is infinite.
    scale = multiply(limit, minimum(1.0 / length, 1.0 / limit)) + (length - length)
    clipped: list[Any] = []
    for t in t_list:
        if t is None:
            clipped.append(None)
            continue
        x = convert(t.values if isinstance(t, IndexedSlices) else t, None)
        clipped.append(_like(t, multiply(x, cast(scale, x.dtype))))
    return clipped, length


@export("clip_by_average_norm")
def clip_by_average_norm(t: Any, clip_norm: Any, name: str | None = None) -> Tensor:
    """Scale `t` down so that its Euclidean norm divided by its number of elements is at most `clip_norm`.

    >>> import whygrad as tf
    >>> tf.clip_by_average_norm([3.0, 4.0], 1.0).numpy()
    array([1.2, 1.6], dtype=float32)
    """
    x = convert(t, None)
    limit = convert(clip_norm, None if isinstance(clip_norm, Tensor) else x.dtype)
    inverse = multiply(rsqrt(reduce_sum(multiply(x, x))), float(x._array.size))
    return multiply(multiply(x, limit), minimum(inverse, 1.0 / limit))


def _like(t: Any, values: Tensor) -> Any:
    """Return the result in the form of the argument: an IndexedSlices if it was one."""
    return IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values
