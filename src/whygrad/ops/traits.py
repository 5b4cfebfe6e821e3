"""Traits: what the explanations and the batched sweep need to know about an op, declared on its `Primitive` beside its rules.

    log = unary("log", "log", vjp=lambda xp, g, x: g / x, traits=Traits(domain=(Logarithm(),)))
    reshape = Primitive("reshape", ..., traits=Traits(moves=Moves.ALL))

`why/` and `tape/batched.py` read traits and never tell ops apart by their names. So a new op is explained from its first day.
Guards are code to suggest: `{0}` and `{1}` stand for the operands as the user wrote them.
"""

from __future__ import annotations

import math
from typing import ClassVar, TypeVar

from whygrad._public import export
from whygrad.runtime.data import Choice, Data

# -- where a function ends --


@export("extend.Logarithm")
class Logarithm(Data):
    """A logarithm of operand `of`: -inf where that is `zero`, nan where it is less."""

    of: int = 0
    zero: float = 0.0


@export("extend.Quotient")
class Quotient(Data):
    """A division by operand `divisor`: inf where that is 0, nan where the dividend is 0 as well."""

    divisor: int = 1
    dividend: int | None = 0  # None: a number that is never 0, as in 1 / x
    guard: str = ""  # the function that gives 0 there, if there is one


@export("extend.Root")
class Root(Data):
    """A root of the first operand: nan where that is negative."""


@export("extend.Power")
class Power(Data):
    """The first operand to the power of the second: a division by 0, or a root, depending on the exponent."""


@export("extend.InfiniteSlope")
class InfiniteSlope(Data):
    """Where the first operand is 0 the function is finite and its slope is not."""


@export("extend.NoSlopeAtOrigin")
class NoSlopeAtOrigin(Data):
    """Where all operands are 0 the slope is 0/0, and depends on the direction."""

    guard: str  # the call with other operands there


@export("extend.Interval")
class Interval(Data):
    """The first operand must lie between `low` and `high`; at these ends the value or the slope is infinite."""

    low: float = -math.inf
    high: float = math.inf
    guard: str = ""
    guard_of_slope: str = ""  # where the value at an end is finite: an operand that also keeps its slope


@export("extend.Defined")
class Defined(Data):
    """The function is only defined where the operands fulfil a condition, such as "x > 0"."""

    where: str
    guard: str = ""  # an operand that fulfils it


@export("extend.Exponential")
class Exponential(Data):
    """The function grows as `base` to the power of its operand, and soon leaves the range of the dtype."""

    base: float = math.e


@export("extend.Overflows")
class Overflows(Data):
    """A power of the operand, needed on the way to the result or to its slope, leaves the range before the operand does."""


@export("extend.Invertible")
class Invertible(Data):
    """The first operand must be a matrix that can be inverted (or factorized)."""

    vanishes: bool = False  # whether the value is 0 for a singular matrix, as the determinant is
    definite: bool = False  # whether it must be positive definite, of which one triangle is read


Domain = (
    Logarithm
    | Quotient
    | Root
    | Power
    | InfiniteSlope
    | NoSlopeAtOrigin
    | Interval
    | Defined
    | Exponential
    | Overflows
    | Invertible
)

_Kind = TypeVar("_Kind", bound=Domain)

# -- what an op does --


@export("extend.Arithmetic")
class Arithmetic(Choice):
    """What an op computes, where an explanation follows a formula the user wrote."""

    SUM: ClassVar[Arithmetic]
    DIFFERENCE: ClassVar[Arithmetic]
    SQUARED_DIFFERENCE: ClassVar[Arithmetic]
    PRODUCT: ClassVar[Arithmetic]  # of elements
    MATRIX_PRODUCT: ClassVar[Arithmetic]
    CONTRACTION: ClassVar[Arithmetic]  # a product summed over axes, as einsum's
    QUOTIENT: ClassVar[Arithmetic]
    NEGATION: ClassVar[Arithmetic]
    SQUARE: ClassVar[Arithmetic]
    POWER: ClassVar[Arithmetic]
    ROOT: ClassVar[Arithmetic]
    EXTREMUM: ClassVar[Arithmetic]  # the larger or the smaller of two operands
    EXPONENTIAL: ClassVar[Arithmetic]
    LOGARITHM: ClassVar[Arithmetic]


@export("extend.Reduction")
class Reduction(Choice):
    """What an op makes of all elements along its axes."""

    SUM: ClassVar[Reduction]
    SUM_OF_SQUARES: ClassVar[Reduction]
    MEAN: ClassVar[Reduction]
    VARIANCE: ClassVar[Reduction]
    PRODUCT: ClassVar[Reduction]
    MAXIMUM: ClassVar[Reduction]
    MINIMUM: ClassVar[Reduction]
    LOGSUMEXP: ClassVar[Reduction]
    NORM: ClassVar[Reduction]
    LOGICAL: ClassVar[Reduction]


@export("extend.Logits")
class Logits(Choice):
    """What an op makes of logits."""

    SOFTMAX: ClassVar[Logits]
    LOG_SOFTMAX: ClassVar[Logits]
    SOFTMAX_LOSS: ClassVar[Logits]
    SIGMOID: ClassVar[Logits]
    SIGMOID_LOSS: ClassVar[Logits]


@export("extend.Moves")
class Moves(Choice):
    """An op whose output holds the numbers that it was given, and computes nothing."""

    ALL: ClassVar[Moves]  # each once: in another shape or order
    SOME: ClassVar[Moves]
    REPEATED: ClassVar[Moves]
    JOINED: ClassVar[Moves]  # those of several operands
    PADDED: ClassVar[Moves]  # and constants around them


@export("extend.Selects")
class Selects(Choice):
    """An op for which a condition or integers say which numbers, or which places, it takes."""

    VALUES: ClassVar[Selects]  # the output holds those that are chosen
    SLICE: ClassVar[Selects]
    PLACES: ClassVar[Selects]  # the output holds them at the chosen places


@export("extend.Flat")
class Flat(Choice):
    """Where an op has a slope of 0."""

    OFF: ClassVar[Flat]  # where its operand is negative, and its value 0: a rectifier
    NOT_CHOSEN: ClassVar[Flat]  # in an operand that it does not choose
    LEVELS_OFF: ClassVar[Flat]  # where its operand is large


@export("extend.Draws")
class Draws(Choice):
    """An op that draws random numbers: computed again, it gives others."""

    DISCRETE: ClassVar[Draws]
    CONTINUOUS: ClassVar[Draws]
    ORDER: ClassVar[Draws]


@export("extend.Batching")
class Batching(Choice):
    """How an op's kernel is computed for many cotangents at once, when a rule calls it (`tape/batched.py`)."""

    ELEMENTWISE: ClassVar[Batching]  # each element by itself; operands broadcast
    LEADING: ClassVar[Batching]  # any axes before its own; `axis`, `shape` and `paddings` count from the front
    VECTORS: ClassVar[Batching]  # the last axis, of operands of one shape
    MATRICES: ClassVar[Batching]  # the last two axes, of operands with the same axes before
    ROWS: ClassVar[Batching]  # the first axes; any axes may follow
    LABELLED: ClassVar[Batching]  # its attributes give each axis a label
    TERMS: ClassVar[Batching]  # the sum of its operands


@export("extend.Traits")
class Traits(Data):
    """What is known about an op beside its rules. Every field is read by an explanation or by the batched sweep."""

    domain: tuple[Domain, ...] = ()
    arithmetic: Arithmetic | None = None
    reduces: Reduction | None = None
    takes_logits: Logits | None = None
    moves: Moves | None = None
    copies: bool = False  # gives its operand again, as a tensor of its own
    makes_axis: bool = False  # people use it to make an axis of length one, or to turn one
    casts: bool = False
    selects: Selects | None = None
    compares: bool = False
    flat: Flat | None = None
    piecewise_linear: bool = False
    piecewise_constant: bool = False
    smooth_form: str = ""  # of an op without a gradient: what to use where one is wanted
    smooth_code: str = ""  # the same as code, in which {0} and {1} stand for the operands
    penalizes: bool = False  # losses apply it to an error, element by element
    draws: Draws | None = None
    finds_extreme: bool = False  # gives the position of the largest or smallest element
    only_shape: bool = False  # reads the shape of its operand, and none of its numbers
    stops_gradient: bool = False
    calls_python: bool = False
    is_unbounded_loop: bool = False
    decomposes: str = ""  # what it gives beside the vectors that belong to them: "eigenvalues"
    passes_numeric_checks: bool = False  # TensorFlow's `enable_check_numerics` ignores inf and nan in its operand
    batching: Batching | None = None

    def domain_as(self, kind: type[_Kind]) -> _Kind | None:
        """The part of the domain that is of this kind, if there is one."""
        return next((each for each in self.domain if isinstance(each, kind)), None)

    @property
    def elementwise(self) -> bool:
        """Whether each element of the output is computed from one element of each operand."""
        return self.batching is Batching.ELEMENTWISE

    @property
    def is_product(self) -> bool:
        """Whether operands are multiplied: as elements, as matrices or along any axes."""
        return self.arithmetic in (Arithmetic.PRODUCT, Arithmetic.MATRIX_PRODUCT, Arithmetic.CONTRACTION)

    @property
    def is_logarithm(self) -> bool:
        """Whether the output is a logarithm, of one element or of several."""
        return (
            self.arithmetic is Arithmetic.LOGARITHM
            or self.takes_logits is Logits.LOG_SOFTMAX
            or self.reduces is Reduction.LOGSUMEXP
        )


NO_TRAITS = Traits()
ELEMENTWISE = Traits(batching=Batching.ELEMENTWISE)
MOVES_ALL = Traits(moves=Moves.ALL)
MOVES_SOME = Traits(moves=Moves.SOME)
REPEATS = Traits(moves=Moves.REPEATED)


def elementwise(traits: Traits | None) -> Traits:
    """The same traits, of an op that computes each element by itself unless they say otherwise."""
    if traits is None:
        return ELEMENTWISE
    return traits if traits.batching is not None else traits.replace(batching=Batching.ELEMENTWISE)
