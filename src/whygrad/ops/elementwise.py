"""Ops on each element by itself, with broadcasting, and the operators of Tensor and Variable made of them."""

from __future__ import annotations

from typing import Any

from whygrad.ops.primitive import binary, unary
from whygrad.values.tensor import Tensor

# -- arithmetic --

add = binary(
    "add",
    "add",
    vjp=(lambda xp, g: g, lambda xp, g: g),
    op_name="AddV2",
    doc="""x + y, element by element.

    >>> import whygrad as tf
    >>> tf.add([1.0, 2.0], 3.0).numpy()
    array([4., 5.], dtype=float32)
    """,
)
subtract = binary(
    "subtract",
    "subtract",
    vjp=(lambda xp, g: g, lambda xp, g: -g),
    op_name="Sub",
    doc="""x - y, element by element.

    >>> import whygrad as tf
    >>> tf.subtract([1.0, 2.0], 3.0).numpy()
    array([-2., -1.], dtype=float32)
    """,
)
multiply = binary(
    "multiply",
    "multiply",
    vjp=(lambda xp, g, b: g * b, lambda xp, g, a: g * a),
    op_name="Mul",
    doc="""x * y, element by element.

    >>> import whygrad as tf
    >>> tf.multiply([1.0, 2.0], 3.0).numpy()
    array([3., 6.], dtype=float32)
    """,
)


def divide_vjp_b(xp: Any, g: Any, b: Any, y: Any) -> Any:
    """The rule for b in y = a / b."""
    return -g * y / b  # not -g * a / b**2: b**2 underflows long before b does


real_divide = binary(
    "divide",
    "divide",
    vjp=(lambda xp, g, b: g / b, divide_vjp_b),
    op_name="RealDiv",
    allowed="float or complex",
    doc="""x / y for floating point and complex tensors.

    >>> import whygrad as tf
    >>> tf.realdiv([1.0, 2.0], 4.0).numpy()
    array([0.25, 0.5 ], dtype=float32)
    """,
)

negative = unary(
    "negative",
    "negative",
    vjp=lambda xp, g: -g,
    op_name="Neg",
    allowed="number",
    doc="""-x, element by element.

    >>> import whygrad as tf
    >>> tf.negative([1.0, -2.0]).numpy()
    array([-1.,  2.], dtype=float32)
    """,
)

# -- functions --

square = unary(
    "square",
    "square",
    vjp=lambda xp, g, x: g * (2 * x),
    allowed="number",
    doc="""x squared, element by element.

    >>> import whygrad as tf
    >>> tf.square([1.0, -2.0]).numpy()
    array([1., 4.], dtype=float32)
    """,
)
exp = unary(
    "exp",
    "exp",
    vjp=lambda xp, g, y: g * y,
    doc="""e to the power x, element by element.

    >>> import whygrad as tf
    >>> tf.exp([0.0, 1.0]).numpy()
    array([1.       , 2.7182817], dtype=float32)
    """,
)
log = unary(
    "log",
    "log",
    vjp=lambda xp, g, x: g / x,
    doc="""The natural logarithm, element by element.

    >>> import whygrad as tf
    >>> tf.math.log([1.0, 2.0]).numpy()
    array([0.       , 0.6931472], dtype=float32)
    """,
)
sin = unary(
    "sin",
    "sin",
    vjp=lambda xp, g, x: g * xp.cos(x),
    doc="""Sine, element by element; x in radians.

    >>> import whygrad as tf
    >>> tf.sin([0.0, 1.0]).numpy()
    array([0.       , 0.841471 ], dtype=float32)
    """,
)
cos = unary(
    "cos",
    "cos",
    vjp=lambda xp, g, x: -g * xp.sin(x),
    doc="""Cosine, element by element; x in radians.

    >>> import whygrad as tf
    >>> tf.cos([0.0, 1.0]).numpy()
    array([1.        , 0.54030234], dtype=float32)
    """,
)
tanh = unary(
    "tanh",
    "tanh",
    vjp=lambda xp, g, y: g * (1 - y * y),
    doc="""Hyperbolic tangent, element by element.

    >>> import whygrad as tf
    >>> tf.tanh([0.0, 1.0]).numpy()
    array([0.       , 0.7615942], dtype=float32)
    """,
)

# -- operators --


def set_operators(owner: Any) -> None:
    """Give Tensor or Variable its operators."""

    def operator(function: Any, reflected: bool = False) -> Any:
        def method(self: Any, other: Any) -> Tensor:
            return function(other, self) if reflected else function(self, other)  # type: ignore[no-any-return]

        return method

    for name, function in {"add": add, "sub": subtract, "mul": multiply, "truediv": real_divide}.items():
        setattr(owner, f"__{name}__", operator(function))
        setattr(owner, f"__r{name}__", operator(function, reflected=True))
    owner.__neg__ = lambda self: negative(self)


set_operators(Tensor)
