"""What an op refused, as data: one class for each kind of mistake.

An exception of `values/errors.py` holds one of these as its `fault`; its text is TensorFlow's sentence, written from the
fault's fields. `whygrad.why` explains a fault by its class and fields and never reads the text. A mistake that has no
explanation of its own needs no class: it is raised with a plain message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from whygrad.values.dtypes import DType
    from whygrad.values.shapes import TensorShape

Shape = tuple[int, ...]


@dataclass_transform(kw_only_default=True, frozen_default=True)
class _Data:
    """Fields given by name, as annotated. (`dataclasses` would cost `import whygrad` half a millisecond for each class.)"""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class Fault(_Data):
    """What was wrong. `str(fault)` is the text of the exception.

    >>> str(IncompatibleShapes(a=(2,), b=(3,), op="Mul"))
    'Incompatible shapes: [2] vs. [3] [Op:Mul]'
    """

    sentence: ClassVar[str] = ""  # a template over the fields: `{a}` writes a shape as [2,3], `{a!s}` as (2, 3)

    op: str = ""  # TensorFlow's name of the op, where its messages end with it
    wording: str = ""  # the template of an op that words this mistake in its own way

    def __str__(self) -> str:
        text = (self.wording or self.sentence).format_map(_Fields(self))
        return f"{text} [Op:{self.op}]" if self.op else text


class _Sizes(tuple[int, ...]):
    """A shape that a template writes as TensorFlow does."""

    def __format__(self, spec: str) -> str:
        return shape_text(self)


class _Fields(Mapping[str, Any]):
    """The attributes of a fault by name, for a template."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def __getitem__(self, name: str) -> Any:
        value = getattr(self._fault, name)
        return _Sizes(value) if type(value) is tuple else value

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self._fault))

    def __len__(self) -> int:
        return len(vars(self._fault))


def shape_text(shape: tuple[Any, ...]) -> str:
    """A shape as TensorFlow's messages write it: `[2,3]`."""
    return "[" + ",".join(str(size) for size in shape) + "]"


# -- shapes of products --


class InnerSizesDiffer(Fault):
    """A product of two matrices whose inner sizes are not equal."""

    sentence = "Matrix size-incompatible: In[0]: {a}, In[1]: {b}"
    a: Shape
    b: Shape


class ContractedSizesDiffer(Fault):
    """A product over given axes, two of which are not of one size."""

    sentence = (
        "Matrix size-incompatible: In[0]: {a}, In[1]: {b}: "
        "axis {a_axis} of the first and axis {b_axis} of the second differ in size"
    )
    a: Shape
    b: Shape
    a_axis: int
    b_axis: int


class NotAMatrix(Fault):
    """An operand of a product with fewer than two axes."""

    sentence = "In[{position}] ndims must be >= 2: {shape}"
    position: int  # among the operands
    shape: Shape

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.shape)


class BatchesDiffer(Fault):
    """Batches of matrices whose leading axes do not broadcast."""

    sentence = "In[0] and In[1] must have compatible batch dimensions: {a} vs. {b}"
    a: Shape
    b: Shape


class EquationMismatch(Fault):
    """Operands of `einsum` that do not fit its equation."""

    equation: str


class EquationCount(EquationMismatch):
    """Another number of operands than the equation names."""

    sentence = 'Got {given} inputs for equation "{equation}", expecting {named}'
    given: int
    named: int


class EquationRank(EquationMismatch):
    """An operand with another number of axes than it has letters in the equation."""

    sentence = "Expected input {position} to have rank {wanted} but got: {rank}"
    position: int
    wanted: str  # a number, or "at least" one
    rank: int


class EquationSize(EquationMismatch):
    """A letter of the equation that stands for two sizes."""

    sentence = "Expected dimension {wanted} at axis {axis} of the input shaped {shape} but got dimension {size}"
    wanted: int
    axis: int
    shape: Shape
    size: int


# -- shapes that must be equal, or broadcast --


class IncompatibleShapes(Fault):
    """Two shapes that do not broadcast."""

    sentence = "Incompatible shapes: {a} vs. {b}"
    a: Shape
    b: Shape


class NotBroadcastableTo(Fault):
    """A shape that does not broadcast to the one asked for."""

    sentence = "Incompatible shapes: {shape} vs. {wanted}"
    shape: Shape
    wanted: Shape


class SelectedShapesDiffer(Fault):
    """A condition and two branches that do not broadcast."""

    sentence = "condition {condition}, then {x}, and else {y} must be broadcastable"
    condition: Shape
    x: Shape
    y: Shape


class ShapesDiffer(Fault):
    """Two parameters that must have one shape."""

    sentence = "`{first}` and `{second}` must have the same shape, received ({first_shape!s} vs {second_shape!s})."
    first: str
    second: str
    first_shape: Shape
    second_shape: Shape


class ClassIdsMisshapen(Fault):
    """Labels that are not one class id for each row of the logits."""

    sentence = (
        "`labels.shape` must equal `logits.shape` except for the last dimension. "
        "Received: labels.shape={labels!s} and logits.shape={logits!s}"
    )
    labels: Shape
    logits: Shape

    @property
    def labels_rank(self) -> int:
        """How many axes the labels have."""
        return len(self.labels)

    @property
    def logits_rank(self) -> int:
        """How many axes the logits have."""
        return len(self.logits)


class ClassIdsRank(ClassIdsMisshapen):
    """Labels that do not have one axis less than the logits."""

    sentence = (
        "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape={labels!s} of rank {labels_rank} and "
        "logits.shape={logits!s} of rank {logits_rank}"
    )


class DistributionsMisshapen(Fault):
    """Labels that do not hold a probability for each class of each row of the logits."""

    sentence = "logits and labels must be broadcastable: logits_size={logits} labels_size={labels}"
    logits: Shape  # as matrices, one row for each distribution
    labels: Shape


class VariableShape(Fault):
    """Something for a variable that has another shape than the variable."""

    value: Shape


class AssignedShape(VariableShape):
    """A value for a variable that has another shape."""

    sentence = (
        "Cannot assign value to variable ' {name}': Shape mismatch."
        "The variable shape {variable!s}, and the assigned value shape {value!s} are incompatible."
    )
    variable: TensorShape
    name: str


class UpdateShape(VariableShape):
    """Something to add to a variable, or subtract, that has another shape."""

    sentence = "Cannot update variable with shape {variable} using a Tensor with shape {value}, shapes must be equal."
    variable: Shape


# -- shapes of images --


class ImageRank(Fault):
    """An image, or a batch of them, without the axes that an op of images needs."""

    shape: Shape
    wanted: int  # how many axes, with batch and channels

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.shape)


class ChannelsDiffer(Fault):
    """An image with another number of channels than its filters take."""

    sentence = "input depth must be evenly divisible by filter depth: {channels} vs {wanted}"
    channels: int
    wanted: int


class BiasCount(Fault):
    """Not one bias for each channel."""

    sentence = "Must provide as many biases as the last dimension of the input tensor: {bias} vs. {value}"
    bias: Shape
    value: Shape


# -- parts and wholes --


class JoinedSizesDiffer(Fault):
    """Tensors to be joined along one axis that differ in size at another."""

    sentence = (
        "ConcatOp : Dimension {axis} in both shapes must be equal: shape[0] = {first} vs. shape[{position}] = {shape}"
    )
    along: int
    axis: int
    position: int  # of the part that differs from the first
    first: Shape
    shape: Shape


class JoinedRanksDiffer(Fault):
    """Tensors to be joined that differ in their number of axes."""

    sentence = "ConcatOp : Ranks of all input tensors should match: shape[0] = {first} vs. shape[{position}] = {shape}"
    position: int
    first: Shape
    shape: Shape


class PartsDiffer(Fault):
    """Tensors to be stacked or added up whose shapes are not equal."""

    position: int
    first: Shape
    shape: Shape


class StackedPartsDiffer(PartsDiffer):
    """Tensors to be stacked whose shapes are not equal."""

    sentence = "Shapes of all inputs must match: values[0].shape = {first} != values[{position}].shape = {shape}"


class AddedPartsDiffer(PartsDiffer):
    """Tensors to be added up whose shapes are not equal."""

    sentence = (
        "Inputs to operation AddN of type AddN must have the same size and shape.  "
        "Input 0: {first} != input {position}: {shape}"
    )


class UnevenSplit(Fault):
    """An axis whose size is no multiple of the number of parts."""

    sentence = (
        "Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size = {size}) and "
        "num_split {parts}"
    )
    axis: int
    size: int
    parts: int


class SplitSizes(Fault):
    """Sizes of parts that do not add up to the size of the axis."""

    sentence = (
        "Determined shape must either match input shape along split_dim exactly if fully specified, or be less than the size "
        "of the input along split_dim if not fully specified.  Got: {total}"
    )
    total: int
    size: int


class ReshapeCount(Fault):
    """A new shape for another number of elements."""

    sentence = "Input to reshape is a tensor with {count} values, but the requested shape {needs} {wanted}"
    count: int
    wanted: int
    multiple: bool = False  # one size of the new shape is open: `wanted` is the product of the others

    @property
    def needs(self) -> str:
        """What the sentence says of the requested shape."""
        return "requires a multiple of" if self.multiple else "has"


class NotSizeOne(Fault):
    """An axis to be squeezed whose size is not 1."""

    sentence = "Can not squeeze dim[{axis}], expected a dimension of 1, got {size}"
    axis: int
    size: int


# -- ranks, and matrices --


class RankTooLow(Fault):
    """A tensor with fewer axes than the op needs."""

    shape: Shape
    at_least: int

    @property
    def rank(self) -> int:
        """How many axes it has."""
        return len(self.shape)


class NotSquare(Fault):
    """A matrix whose last two sizes are not equal."""

    sentence = "Input matrix must be square. Its shape is {shape!s}"
    shape: Shape


class RowsDiffer(Fault):
    """A matrix and a right-hand side that differ in their number of rows."""

    sentence = "Input matrix and rhs are incompatible. The shapes are {matrix!s} and {rhs!s}"
    matrix: Shape
    rhs: Shape


class Singular(Fault):
    """A matrix that has no inverse."""

    sentence = "Input matrix is not invertible."


class NotABatch(Fault):
    """A target or source of `batch_jacobian` that is no batch."""

    sentence = "Shape {shape!s} must have rank at least 2"
    shape: Shape


class BatchSizesDiffer(Fault):
    """A target and a source of `batch_jacobian` with different numbers of samples."""

    sentence = "Need first dimension of target shape ({target!s}) and source shape ({source!s}) to match."
    target: Shape
    source: Shape


class RaggedSequence(Fault):
    """A Python sequence whose rows differ in length."""

    sentence = "Can't convert non-rectangular Python sequence to Tensor."


# -- dtypes --


class DtypesDiffer(Fault):
    """Operands that must have one dtype. There is no silent promotion."""

    sentence = (
        "cannot compute {op} as input #{position}(zero-based) was expected to be a {wanted.cxx_name} tensor but is a "
        "{dtype.cxx_name} tensor"
    )
    wanted: DType
    dtype: DType
    position: int = 1  # of the operand that does not fit


class ConditionNotBool(DtypesDiffer):
    """A condition that is not of dtype bool."""


class ConversionDtype(Fault):
    """A tensor where another dtype is asked for: tensors are cast only by `tf.cast`."""

    sentence = "Tensor conversion requested dtype {wanted.name} for Tensor with dtype {dtype.name}: {shown}"
    wanted: DType
    dtype: DType
    shown: str  # the tensor, printed


class NotRepresentable(Fault):
    """A Python value that has no place in a dtype, such as a fraction among integers."""

    sentence = "Cannot convert {shown} to EagerTensor of dtype {dtype.cxx_name}"
    shown: str  # the value, printed
    dtype: DType


class DtypeNotAllowed(Fault):
    """A dtype that the op does not take."""

    sentence = "Value for attr '{attribute}' of {dtype.cxx_name} is not in the list of allowed values: {choices}"
    dtype: DType
    allowed: tuple[str, ...]  # as TensorFlow's kernels call them: "float", "double", "half", "int32", ...
    attribute: str = "T"
    parameter: str = ""  # of the op, where one is known

    @property
    def choices(self) -> str:
        """The dtypes that are allowed, as text."""
        return ", ".join(self.allowed)


# -- axes and indices --


class AxisOutOfRange(Fault):
    """An axis that a tensor does not have, or a place at which a new axis cannot be put."""

    axis: int
    rank: int  # of the tensor
    adds: bool = False  # whether the op puts in a new axis

    @property
    def count(self) -> int:
        """How many places there are."""
        return self.rank + self.adds

    @property
    def lowest(self) -> int:
        """The first place, counted from the end."""
        return -self.count


class PermutationCount(Fault):
    """An order that does not name each axis."""

    sentence = "transpose expects a vector of size {rank}. But input(1) is a vector of size {named}"
    rank: int
    named: int


class IndexOutOfRange(Fault):
    """An index outside of an axis."""

    index: int | None = None
    size: int | None = None
    axis: int | None = None  # of the tensor that is indexed, where the op knows it
    parameter: str = ""  # that holds the index
    place: str = ""  # of the index in it: `[0,1]`


class PositionOutOfRange(Fault):
    """A position, one index for each axis, outside of a shape."""

    sentence = "indices{place} = [{position}] does not index into {tensor}{shape}"
    position: str
    place: str
    shape: Shape
    tensor: str  # what the sentence calls the tensor: "param shape "


class TooManyIndices(Fault):
    """More indices than a tensor has axes."""

    sentence = "Index out of range using input dim {rank}; input has only {rank} dims"
    rank: int


class NotAnIndex(Fault):
    """Something in the brackets after a tensor that is no index."""

    sentence = (
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
        "indices, got {shown}"
    )
    shown: str


class SliceOutOfRange(Fault):
    """A block that leaves its axis."""

    sentence = "Expected {parameter}[{axis}] in [0, {limit}], but got {given}"
    parameter: str  # "begin" or "size"
    axis: int
    limit: int
    given: int


class LabelOutOfRange(Fault):
    """A class id that is none of the classes."""

    sentence = "Received a label value of {label} which is outside the valid range of [0, {count}){shown}"
    label: int
    count: int
    shown: str = ""  # all labels, printed


# -- arguments that are no tensors, or not the ones that are meant --


class NoneGiven(Fault):
    """None in the place of a tensor."""

    sentence = "Attempt to convert a value (None) with an unsupported type (<class 'NoneType'>) to a Tensor."


class NotAWord(Fault):
    """A word that is none of those a parameter takes."""

    sentence = "Value for attr '{parameter}' of \"{given}\" is not in the list of allowed values: {choices}"
    parameter: str
    given: str
    allowed: tuple[str, ...]

    @property
    def choices(self) -> str:
        """The words that are allowed, as text."""
        return ", ".join(f'"{each}"' for each in self.allowed)


class ManyTruthValues(Fault):
    """A tensor of several elements where Python asks for one truth value."""

    sentence = "{said}"
    said: str  # by NumPy


class NotOneNumber(Fault):
    """A tensor of several elements where Python asks for one number."""

    sentence = "{said}"
    said: str  # by NumPy


class NoElements(Fault):
    """A scalar where Python asks for its elements or their number."""
