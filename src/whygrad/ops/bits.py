"""Ops on the bits of integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whygrad.ops.primitive import binary, unary
from whygrad.values.tensor import Tensor

_BITS = "the bits of integers do not change under a small step"


def _bitwise(
    name: str, forward: Any, op_name: str, summary: str, example: str, exports: tuple[str, ...]
) -> Callable[..., Tensor]:
    return binary(
        name,
        forward,
        exports=exports,
        inputs=("a", "b"),
        no_gradient=_BITS,
        op_name=op_name,
        allowed="integer",
        doc=f"""{summary}

    >>> import whygrad as tf
    >>> tf.bitwise.{name}({example}
    """,
    )


bitwise_and = _bitwise(
    "bitwise_and",
    "bitwise_and",
    "BitwiseAnd",
    "x & y, bit by bit.",
    "[12, 10], 6).numpy()\n    array([4, 2], dtype=int32)",
    exports=("bitwise.bitwise_and",),
)
bitwise_or = _bitwise(
    "bitwise_or",
    "bitwise_or",
    "BitwiseOr",
    "x | y, bit by bit.",
    "[12, 10], 6).numpy()\n    array([14, 14], dtype=int32)",
    exports=("bitwise.bitwise_or",),
)
bitwise_xor = _bitwise(
    "bitwise_xor",
    "bitwise_xor",
    "BitwiseXor",
    "x ^ y, bit by bit.",
    "[12, 10], 6).numpy()\n    array([10, 12], dtype=int32)",
    exports=("bitwise.bitwise_xor",),
)
left_shift = _bitwise(
    "left_shift",
    "shift_left",
    "LeftShift",
    "x << y, bit by bit.",
    "[1, 3], 2).numpy()\n    array([ 4, 12], dtype=int32)",
    exports=("bitwise.left_shift",),
)
right_shift = _bitwise(
    "right_shift",
    "shift_right",
    "RightShift",
    "x >> y, an arithmetic shift: the sign is kept.",
    "[8, -8], 2).numpy()\n    array([ 2, -2], dtype=int32)",
    exports=("bitwise.right_shift",),
)
invert = unary(
    "invert",
    "invert",
    exports=("bitwise.invert",),
    no_gradient=_BITS,
    allowed="integer",
    doc="""The bitwise complement of x.

    >>> import whygrad as tf
    >>> tf.bitwise.invert([0, 5]).numpy()
    array([-1, -6], dtype=int32)
    """,
)
