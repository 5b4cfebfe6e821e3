"""Ops that cut images into blocks and move these into the channels or the batch axis, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.arguments import word
from whygrad.ops.shaping import integers, pad, plain_index, reshape, transpose
from whygrad.values.conversion import convert
from whygrad.values.errors import OpValueError, invalid, shape_text
from whygrad.values.tensor import Tensor, wrap

# -- between space and channels --


def _image_size(input: Any, block_size: Any, data_format: str, op_name: str) -> tuple[Tensor, int]:
    x = convert(input, None)
    block = plain_index(block_size, "block_size")
    if block < 2:
        raise invalid(f"Value for attr 'block_size' of {block} must be at least minimum 2 [Op:{op_name}]")
    word(data_format, "data_format", ("NHWC", "NCHW"), op_name)
    if x._array.ndim != 4:
        colon = ":" if op_name == "DepthToSpace" else ""
        raise invalid(f"Input rank should be{colon} 4 instead of{colon} {x._array.ndim} [Op:{op_name}]")
    return x, block


@export("nn.space_to_depth")
def space_to_depth(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """Move each square of `block_size` pixels of images into the channels of one pixel.

    >>> import whygrad as tf
    >>> tf.nn.space_to_depth(tf.ones((1, 4, 6, 2)), 2).shape
    TensorShape([1, 2, 3, 8])
    """
    x, block = _image_size(input, block_size, data_format, "SpaceToDepth")
    if data_format == "NCHW":
        return transpose(space_to_depth(transpose(x, (0, 2, 3, 1)), block), (0, 3, 1, 2))
    batch, height, width, depth = x._array.shape
    if height % block or width % block:
        raise invalid(
            f"Image width {width} and height {height} should be divisible by block_size: {block} [Op:SpaceToDepth]"
        )
    blocks = reshape(x, (batch, height // block, block, width // block, block, depth))
    blocks = transpose(blocks, (0, 1, 3, 2, 4, 5))
    return reshape(blocks, (batch, height // block, width // block, block * block * depth))


@export("nn.depth_to_space")
def depth_to_space(input: Any, block_size: int, data_format: str = "NHWC", name: str | None = None) -> Tensor:
    """The inverse of `space_to_depth`: each pixel's channels become a square of `block_size` pixels.

    >>> import whygrad as tf
    >>> tf.nn.depth_to_space(tf.ones((1, 2, 3, 8)), 2).shape
    TensorShape([1, 4, 6, 2])
    """
    x, block = _image_size(input, block_size, data_format, "DepthToSpace")
    if data_format == "NCHW":
        return transpose(depth_to_space(transpose(x, (0, 2, 3, 1)), block), (0, 3, 1, 2))
    batch, height, width, depth = x._array.shape
    if depth % (block * block):
        raise invalid(f"Input depth dimension {depth} should be divisible by: {block * block} [Op:DepthToSpace]")
    blocks = reshape(x, (batch, height, width, block, block, depth // (block * block)))
    blocks = transpose(blocks, (0, 1, 3, 2, 4, 5))
    return reshape(blocks, (batch, height * block, width * block, depth // (block * block)))


# -- between space and the batch axis --


def _block_arguments(
    rank: int, block_shape: Any, margins: Any, what: str, op_name: str
) -> tuple[list[int], list[tuple[int, int]]]:
    """Check `block_shape` and its paddings or crops."""
    blocks = integers(block_shape, op_name, "Tblock_shape")
    around = integers(margins, op_name, f"T{what.lower()}")
    if blocks.ndim != 1:
        raise invalid(f"block_shape rank should be 1 instead of {blocks.ndim} [Op:{op_name}]")
    if rank < 1 + blocks.size:
        raise invalid(f"input rank should be >= {1 + blocks.size} instead of {rank} [Op:{op_name}]")
    if around.shape != (blocks.size, 2):
        raise invalid(
            f"{what.lower()} should have shape [{blocks.size}, 2] instead of {shape_text(around.shape)} [Op:{op_name}]"
        )
    if (around < 0).any():
        raise invalid(f"{what} must be non-negative [Op:{op_name}]")
    return blocks.tolist(), [(before, after) for before, after in around.tolist()]


@export("space_to_batch", "nn.space_to_batch", "space_to_batch_nd")
def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Pad axes 1, 2, ... and cut them into blocks of `block_shape`, whose positions move into the batch axis.

    >>> import whygrad as tf
    >>> tf.space_to_batch(tf.reshape(tf.range(4), (1, 2, 2, 1)), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([4, 1, 1, 1])
    """
    x = convert(input, None)
    blocks, margins = _block_arguments(x._array.ndim, block_shape, paddings, "Paddings", "SpaceToBatchND")
    for i, block in enumerate(blocks):
        if block < 1:
            raise invalid(
                f"All values in block_shape must be positive, got value, {block} at index {i}. [Op:SpaceToBatchND]"
            )
    count = len(blocks)
    padded = [size + before + after for size, (before, after) in zip(x._array.shape[1:], margins)]
    for i, (size, block) in enumerate(zip(padded, blocks)):
        if size % block:
            raise invalid(f"padded_shape[{i}]={size} is not divisible by block_shape[{i}]={block} [Op:SpaceToBatchND]")
    rest = x._array.ndim - 1 - count
    if any(before or after for before, after in margins):
        x = pad(x, [(0, 0), *margins, *[(0, 0)] * rest])
    batch, tail = x._array.shape[0], x._array.shape[1 + count :]
    outer = [size // block for size, block in zip(padded, blocks)]
    x = reshape(x, (batch, *[n for pair in zip(outer, blocks) for n in pair], *tail))
    inner_axes = range(2, 2 * count + 1, 2)
    x = transpose(x, (*inner_axes, 0, *range(1, 2 * count, 2), *range(2 * count + 1, 2 * count + 1 + rest)))
    return reshape(x, (batch * math.prod(blocks), *outer, *tail))


@export("batch_to_space")
def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """The inverse of `space_to_batch`: reassemble blocks from the batch axis, and crop the edges.

    >>> import whygrad as tf
    >>> tf.batch_to_space(tf.reshape(tf.range(4), (4, 1, 1, 1)), [2, 2], [[0, 0], [0, 0]]).shape
    TensorShape([1, 2, 2, 1])
    """
    x = convert(input, None)
    if isinstance(block_shape, int):  # one number means two spatial axes
        block_shape = [block_shape, block_shape]
    blocks, margins = _block_arguments(x._array.ndim, block_shape, crops, "Crops", "BatchToSpaceND")
    count, product = len(blocks), math.prod(blocks)
    if product < 1 or min(blocks, default=1) < 1:
        raise invalid(f"Product of block sizes must be positive, got {product} [Op:BatchToSpaceND]")
    batch, sizes, tail = x._array.shape[0], x._array.shape[1 : 1 + count], x._array.shape[1 + count :]
    if batch % product:
        raise invalid(
            f"Input batch dimension ({batch}) is not divisible by product of block sizes ({product}) [Op:BatchToSpaceND]"
        )
    whole = [size * block for size, block in zip(sizes, blocks)]
    for i, (size, (before, after)) in enumerate(zip(whole, margins)):
        if size - before - after < 0:
            raise invalid(f"cropped_shape[{i}]={size - before - after} must be non-negative [Op:BatchToSpaceND]")
    x = reshape(x, (*blocks, batch // product, *sizes, *tail))
    interleaved = [axis for i in range(count) for axis in (count + 1 + i, i)]
    x = transpose(x, (count, *interleaved, *range(2 * count + 1, x._array.ndim)))
    x = reshape(x, (batch // product, *whole, *tail))
    if any(before or after for before, after in margins):
        x = x[(slice(None), *[slice(before, size - after) for size, (before, after) in zip(whole, margins)])]
    return x


@export("required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The paddings that make a shape divisible into blocks for `space_to_batch`, and the crops that undo them.

    >>> import whygrad as tf
    >>> paddings, crops = tf.required_space_to_batch_paddings([5, 6], [2, 3])
    >>> paddings.numpy(), crops.numpy()
    (array([[0, 1],
           [0, 0]], dtype=int32), array([[0, 1],
           [0, 0]], dtype=int32))
    """
    blocks = integers(block_shape, "Pad", "Tblock_shape")
    sizes = integers(input_shape, "Pad", "Tshape")
    if blocks.ndim != 1:
        raise OpValueError(f"Shape {blocks.shape} must have rank 1")
    if sizes.shape != blocks.shape:
        raise OpValueError(f"Shapes {sizes.shape} and {list(blocks.shape)} are incompatible")
    base = np.zeros((blocks.size, 2), np.int32)
    if base_paddings is not None:
        base = integers(base_paddings, "Pad", "Tpaddings")
        if base.shape != (blocks.size, 2):
            raise OpValueError(f"Shapes {base.shape} and {[blocks.size, 2]} are incompatible")
    extra = -(sizes + base.sum(axis=1)) % blocks
    paddings = np.stack([base[:, 0], base[:, 1] + extra], axis=1).astype(np.int32)
    crops = np.stack([np.zeros_like(extra), extra], axis=1).astype(np.int32)
    return wrap(paddings), wrap(crops)
