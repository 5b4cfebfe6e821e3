"""Windows that slide over spatial axes: the arguments shared by convolution and pooling.

The kernels take channels last, one batch axis, and for each spatial axis a stride, a dilation, the padding before it (the offset) and
the size of the result. This module checks TensorFlow's forms of these arguments and converts them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from whygrad.ops.arguments import integer, integer_list, text
from whygrad.ops.shaping import reshape, transpose
from whygrad.values.errors import OpTypeError, OpValueError, UnimplementedError, invalid, shape_text
from whygrad.values.faults import DtypeNotAllowed, ImageRank, NotAWord
from whygrad.values.tensor import Tensor

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


class Windows(NamedTuple):
    """For each spatial axis: the layout of the windows, and their number."""

    strides: tuple[int, ...]
    offsets: tuple[int, ...]
    dilations: tuple[int, ...]
    sizes: tuple[int, ...]

    def placement(self) -> dict[str, tuple[int, ...]]:
        """The attributes that a kernel and its transposes share: all but the number of windows."""
        return {"strides": self.strides, "offsets": self.offsets, "dilations": self.dilations}


def is_channels_last(data_format: str | None, space: int, op_name: str) -> bool:
    """Return whether a data format for `space` spatial axes has the channels last."""
    last, first = FORMATS[space]
    if data_format is None or text(data_format, "data_format", op_name) == last:
        return True
    if data_format != first:
        raise invalid(NotAWord(parameter="data_format", given=data_format, allowed=(last, first), op=op_name))
    return False


def seems_channels_last(data_format: str | None) -> bool:
    """Return whether a data format does not begin with "NC"; whether it is a format at all is checked later."""
    return data_format is None or not text(data_format, "data_format").startswith("NC")


def int_list(value: Any, parameter: str) -> list[int]:
    """Convert a number, list, array or tensor to a list of ints; None gives [1]."""
    return [1] if value is None else integer_list(value, parameter)


def in_space(value: Any, space: int, channels_last: bool, name: str) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Split strides, dilations or sizes, given as 1, `space` or `space + 2` numbers, into those of space and of batch and depth."""
    given = int_list(value, name)
    if len(given) == space + 2:
        if channels_last:
            return tuple(given[1:-1]), (given[0], given[-1])
        return tuple(given[2:]), (given[0], given[1])
    if len(given) == 1:
        return tuple(given) * space, (1, 1)
    if len(given) == space:
        return tuple(given), (1, 1)
    raise OpValueError(
        f"{name} should be of length 1, {space} or {space + 2}. Received: {name}={value} of length {len(given)}"
    )


def required_int_list(value: Any, name: str, function: str) -> list[int]:
    """Convert to a list of ints, for ops that do not accept a single number."""
    if not isinstance(value, list | tuple | np.ndarray | Tensor):
        raise OpTypeError(f"Expected list for '{name}' argument to '{function}' Op, not {value}.")
    return int_list(value, name)


def check_strides(strides: tuple[int, ...], others: tuple[int, int], op_name: str) -> None:
    """Check that strides are positive, and 1 along batch and depth."""
    if others != (1, 1):
        raise UnimplementedError(
            None,
            None,
            "Current implementation does not yet support strides in the batch and depth dimensions. "
            f"Received: {others} [Op:{op_name}]",
        )
    for stride in strides:
        if stride <= 0:
            raise invalid(
                f"Stride must be > 0, but got {stride}. Row and column strides should be larger than 0. [Op:{op_name}]"
            )


def check_dilations(dilations: tuple[int, ...], others: tuple[int, int], op_name: str) -> None:
    """Check that dilations are positive, and 1 along batch and depth."""
    if others != (1, 1):
        raise invalid(
            "Current implementation does not yet support dilations in the batch and depth dimensions. "
            f"Received: {others} [Op:{op_name}]"
        )
    if any(dilation <= 0 for dilation in dilations):
        raise invalid(f"Dilated rates should be larger than 0. Received: {dilations} [Op:{op_name}]")


def explicit_padding(
    padding: Any, space: int, channels_last: bool, op_name: str, *, takes_lists: bool
) -> str | list[tuple[int, int]]:
    """Check a padding: "SAME", "VALID", or a list with pairs for the spatial axes."""
    if takes_lists and isinstance(padding, str) and padding == "EXPLICIT":
        raise OpValueError(
            "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` must be a list."
        )
    if isinstance(padding, str):
        if padding in ("SAME", "VALID"):
            return padding
        allowed = ("SAME", "VALID", "EXPLICIT") if takes_lists else ("SAME", "VALID")
        raise invalid(NotAWord(parameter="padding", given=padding, allowed=allowed, op=op_name))
    if not takes_lists or not isinstance(padding, list | tuple):
        raise OpTypeError(f"Expected string for argument 'padding' not {padding}.")
    for i, pair in enumerate(padding):
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            found = f"size {len(pair)}" if isinstance(pair, list | tuple) else f"type {type(pair)}"
            raise OpValueError(
                "When `padding` is a list, each element of `padding` must be a list/tuple of size 2. "
                f"Received: padding={padding} with element at index {i} of {found}"
            )
    if len(padding) != space + 2:
        raise OpValueError(
            f"When padding is a list, it must be of size {space + 2}. "
            f"Received: padding={padding} of size {len(padding)}"
        )
    pairs = [(integer(before, "padding"), integer(after, "padding")) for before, after in padding]
    if any(before < 0 or after < 0 for before, after in pairs):
        raise invalid(f"All elements of explicit_paddings must be nonnegative. Received: {pairs} [Op:{op_name}]")
    depth = -1 if channels_last else 1
    if pairs[0] != (0, 0) or pairs[depth] != (0, 0):
        raise invalid(
            "Nonzero explicit padding in the batch or depth dimensions is not supported. "
            f"Received: {pairs} [Op:{op_name}]"
        )
    return pairs[1:-1] if channels_last else pairs[2:]


def lay(
    sizes: tuple[int, ...],
    window: tuple[int, ...],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    padding: str | list[tuple[int, int]],
    op_name: str,
) -> Windows:
    """Lay out windows over axes of these sizes."""
    offsets, counts = [], []
    for i, (size, taps, stride, dilation) in enumerate(zip(sizes, window, strides, dilations)):
        reach = (taps - 1) * dilation + 1
        if padding == "SAME":
            count = -(-size // stride)
            offsets.append(max((count - 1) * stride + reach - size, 0) // 2)
        else:
            before, after = (0, 0) if isinstance(padding, str) else padding[i]
            count = int((size + before + after - reach + stride) / stride)  # rounded towards zero, as in C++
            if count < 0:
                raise invalid(
                    f"Computed output size would be negative: {count} [input_size: {size}, "
                    f"effective_filter_size: {reach}, stride: {stride}] [Op:{op_name}]"
                )
            offsets.append(before)
        counts.append(count)
    return Windows(strides, tuple(offsets), dilations, tuple(counts))


def channels_last_batch(x: Tensor, space: int, channels_last: bool) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """Move the channels of `x` last and flatten all axes before the spatial ones; also return how to undo both on a result."""
    if not channels_last:
        x = transpose(x, (0, *range(2, space + 2), 1))
        return x, lambda y: transpose(y, (0, space + 1, *range(1, space + 1)))
    leading = x.shape[: -space - 1]
    if len(leading) == 1:
        return x, lambda y: y
    flat = reshape(x, (int(np.prod(leading)), *x.shape[-space - 1 :]))
    return flat, lambda y: reshape(y, (*leading, *y.shape[1:]))


def check_allowed(x: Tensor, allowed: str, op_name: str) -> None:
    """Raise InvalidArgumentError unless x's dtype is allowed; the message lists dtypes as TensorFlow does."""
    if x.dtype.cxx_name not in allowed.split(", "):
        raise invalid(DtypeNotAllowed(dtype=x.dtype, allowed=tuple(allowed.split(", ")), op=op_name))


def check_rank(x: Tensor, rank: int, what: str, op_name: str) -> None:
    """Raise InvalidArgumentError unless x, which are filters or the like, has this rank."""
    if len(x.shape) != rank:
        raise invalid(f"{what} must be {rank}-dimensional: {shape_text(x.shape)} [Op:{op_name}]")


def check_images(x: Tensor, rank: int, what: str, op_name: str) -> None:
    """Raise InvalidArgumentError unless x, a batch of images, has this rank."""
    if len(x.shape) != rank:
        wording = f"{what} must be {{wanted}}-dimensional: {{shape}}"
        raise invalid(ImageRank(shape=x._array.shape, wanted=rank, op=op_name, wording=wording))
