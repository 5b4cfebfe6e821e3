"""What an op refused, as data: one class for each kind of mistake.

An exception of `values/errors.py` holds one of these as its `fault`; its text is TensorFlow's sentence, written from the
fault's fields. `whygrad.why` explains a fault by its class and fields and never reads the text. A mistake that has no
explanation of its own needs no class: it is raised with a plain message.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import CodeType
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

from whygrad.runtime.data import Data

if TYPE_CHECKING:
    import numpy as np

    from whygrad.values.dtypes import DType
    from whygrad.values.shapes import TensorShape

Shape = tuple[int, ...]

# What a symbolic tensor is, and that it has no value, as several sentences say it.
_SYMBOLIC = "a symbolic tf.Tensor of shape {shape!s} and dtype {dtype.name}"
_NO_VALUE = "inside `{function}`, which is being compiled, it has no value yet"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Fault(Data):
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

    def behind(self, prefix: str) -> Self:
        """The same fault, with `prefix` before its text."""
        return self.replace(wording=literal(prefix) + (self.wording or self.sentence))


def literal(text: str) -> str:
    """A text as a template that stands for itself."""
    return text.replace("{", "{{").replace("}", "}}")


class _Sizes(tuple[int, ...]):
    """A shape that a template writes as TensorFlow does."""

    def __format__(self, spec: str) -> str:
        return shape_text(self)


class _Fields:
    """The attributes of a fault by name, for a template."""

    __slots__ = ("_fault",)

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def __getitem__(self, name: str) -> Any:
        value = getattr(self._fault, name)
        return _Sizes(value) if type(value) is tuple else value


def shape_text(shape: Sequence[Any]) -> str:
    """A shape as TensorFlow's messages write it: `[2,3]`."""
    return "[" + ",".join(str(size) for size in shape) + "]"


# -- shapes of products --


class InnerSizesDiffer(Fault):
    """A product of two matrices whose inner sizes are not equal."""

    sentence = "Matrix size-incompatible: In[0]: {a}, In[1]: {b}"
    a: Shape
    b: Shape


class VectorSizeDiffers(InnerSizesDiffer):
    """A product of a matrix and a vector that has not as many elements as the matrix has columns."""


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


class UnevenGroups(Fault):
    """Filters that take some of the channels, and so make groups, among which their outputs cannot be divided."""

    sentence = "output depth must be evenly divisible by number of groups: {outputs} vs {groups}"
    channels: int
    wanted: int  # the channels that a filter takes
    outputs: int

    @property
    def groups(self) -> int:
        """How many filters side by side take all channels."""
        return self.channels // self.wanted


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
    """An axis whose size is not a multiple of the number of parts."""

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


class UpdatesMisshapen(Fault):
    """Updates whose shape is not that of the positions they are for, and of what a position leaves of the tensor."""

    sentence = "Inner dimensions of output shape must match inner dimensions of updates shape. Output: {shape} updates: {updates}"
    shape: Shape
    indices: Shape
    updates: Shape

    @property
    def wanted(self) -> Shape | None:
        """The shape that would fit; None if positions have more numbers than the tensor has axes."""
        depth = self.indices[-1]
        return (*self.indices[:-1], *self.shape[depth:]) if depth <= len(self.shape) else None


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


class RightSideRank(Fault):
    """A right-hand side that has not as many axes as the matrix: mostly a vector, where columns are asked for."""

    sentence = "All input tensors must have the same rank. The shapes are {matrix!s} and {rhs!s}"
    matrix: Shape
    rhs: Shape

    @property
    def rank(self) -> int:
        """How many axes the right-hand side has."""
        return len(self.rhs)


class RowsDiffer(Fault):
    """A matrix and a right-hand side that differ in their number of rows."""

    sentence = "Input matrix and rhs are incompatible. The shapes are {matrix!s} and {rhs!s}"
    matrix: Shape
    rhs: Shape


class Singular(Fault):
    """A matrix that has no inverse."""

    sentence = "Input matrix is not invertible."


class NotPositiveDefinite(Singular):
    """A matrix that has no Cholesky factor."""

    sentence = "the matrix is not positive definite"


class NotDecomposed(Fault):
    """A matrix whose decomposition does not converge, as of one that is not finite."""

    sentence = "{decomposition} decomposition was not successful. The input might not be valid."
    decomposition: str


class NoRuleForCase(Fault):
    """An op that has a gradient, but not for the way in which it was called."""

    sentence = "this case of the op has no gradient"
    instead: str = ""  # what to do, as the help of an explanation


class NoRegisteredGradient(Fault):
    """An op without a rule, whose differentiation TensorFlow refuses."""

    sentence = "gradient registry has no entry for: {op_type}"
    op_type: str  # TensorFlow's name of the op
    instead: str = ""  # what to do, as the help of an explanation


class VariablesNotAccepted(Fault):
    """A gradient function without the parameter for the gradients of the variables that its function reads."""

    sentence = "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses Variables: {variables}"
    function: str
    variables: list[str]  # their names
    parameters: tuple[str, ...]  # of the gradient function
    arguments: int  # of the function, for which it gives gradients


class VariableMadeAgain(Fault):
    """A `tf.function` that makes a variable at each call."""

    sentence = (
        "tf.function only supports singleton tf.Variables created on the first call. Make sure the tf.Variable is only created "
        "once or created outside tf.function."
    )
    place: tuple[CodeType, int] | None  # where; None if the error before it tells


class NeedsPersistentTape(Fault):
    """A way to compute a jacobian that takes the tape's gradients several times."""

    option: str  # the argument that asks for it


class NotABatch(Fault):
    """A target or source of `batch_jacobian` that is not a batch."""

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


class DtypeMismatch(Fault):
    """A tensor of another dtype than the one beside it, or than the one asked for. There is no silent promotion."""

    wanted: DType
    dtype: DType


class DtypesDiffer(DtypeMismatch):
    """Operands of an op that must have one dtype."""

    sentence = (
        "cannot compute {op} as input #{position}(zero-based) was expected to be a {wanted.cxx_name} tensor but is a "
        "{dtype.cxx_name} tensor"
    )
    position: int = 1  # of the operand that does not fit


class OperandDtypesDiffer(DtypeMismatch):
    """The two operands of a division, which must have one dtype."""

    sentence = "`x` and `y` must have the same dtype, got {wanted!r} != {dtype!r}."


class ConditionNotBool(DtypesDiffer):
    """A condition that is not of dtype bool."""


class ConversionDtype(DtypeMismatch):
    """A tensor where another dtype is asked for: tensors are cast only by `tf.cast`."""

    sentence = "Tensor conversion requested dtype {wanted.name} for Tensor with dtype {dtype.name}: {shown}"
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

    sentence = "indices{place} = {index} is not in [0, {size})"
    index: int | None = None
    size: int | None = None
    axis: int | None = None  # of the tensor that is indexed, where the op knows it
    place: str = ""  # of the index among several: `[0,1]`


class DiagonalOutOfRange(Fault):
    """The number of a diagonal that a matrix does not have."""

    sentence = "{which}_diag_index is out of bound: {diagonal}. It must be between -{rows} and {columns}"
    which: str  # "lower" or "upper"
    diagonal: int
    rows: int
    columns: int


class PositionOutOfRange(Fault):
    """A position, one index for each axis, outside of a shape."""

    sentence = "indices{place} = [{position}] does not index into shape {shape}"
    position: str
    place: str
    shape: Shape


class TooManyIndices(Fault):
    """More indices than a tensor has axes."""

    sentence = "Index out of range using input dim {rank}; input has only {rank} dims"
    rank: int


class NotAnIndex(Fault):
    """Something in the brackets after a tensor that is not an index."""

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
    least: int | None = None  # of all labels


# -- arguments that are not tensors, or not the ones that are meant --


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


class UnexpectedArgument(Fault):
    """An argument of another kind than its parameter takes: a list for a number, a number for a word."""

    sentence = "Expected {expected} for argument '{parameter}' not {shown}."
    expected: str  # "int", "float", "bool", "string", "list", "callable" and the like
    parameter: str
    shown: str  # what was given, printed


class NotAScalar(Fault):
    """A tensor of several elements where Python asks for one value."""

    sentence = "{message}"
    message: str  # by NumPy


class ManyTruthValues(NotAScalar):
    """A tensor of several elements where Python asks for one truth value."""


class ManyNumbers(NotAScalar):
    """A tensor of several elements where Python asks for one number."""


class NoElements(Fault):
    """A scalar where Python asks for its elements or their number."""


class ItemAssigned(Fault):
    """An assignment to an element of a tensor or a variable."""

    sentence = "'{kind}' object does not support item assignment"
    kind: str  # the class of the object


class VariableItemAssigned(ItemAssigned):
    """An assignment to an element of a variable."""


class ChangedInPlace(Fault):
    """An operator such as `+=` on a variable, which would rebind the name to a tensor."""

    sentence = (
        "`{name} {operator}= value` with `tf.Variable`s is not supported. Use `{instead}` to modify the variable, or "
        "`out = {name} {operator} value` if you need to get a new output Tensor."
    )
    operator: str
    name: str
    instead: str


class SparseAsDense(Fault):
    """An `IndexedSlices` where a dense tensor is needed."""

    sentence = "{message}"
    message: str = ""


# -- tapes --


class TapeNotRecording(Fault):
    """Something that only a tape that records can do."""

    sentence = "Tape is not recording."


class TapeRecording(Fault):
    """A tape that is entered a second time."""

    sentence = "Tape is still recording, This can happen if you try to re-enter an already-active tape."


class NotWatchable(Fault):
    """Something that is not a tensor, to be watched."""

    sentence = "Passed in object {value} of type {kind!r}, not tf.Tensor or tf.Variable or ExtensionType."
    value: Any

    @property
    def kind(self) -> str:
        """The name of its class."""
        return type(self.value).__name__


class UnconnectedGradientsUnknown(Fault):
    """A value for `unconnected_gradients` that is none of the two."""

    sentence = "Unknown value for unconnected_gradients: {given!r}"
    given: Any


class TapeSpent(Fault):
    """A tape that has given its one set of gradients."""

    sentence = "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"


class TapeNeverEntered(Fault):
    """A tape that was not opened with `with`, and recorded nothing."""

    sentence = f"{TapeSpent.sentence}\n  this tape was never entered: open it with `with tape:` around the computation"


class NotATensor(Fault):
    """A target or source of a gradient that is not a tensor."""

    sentence = (
        "Argument `{argument}` should hold Tensors and Variables, but received {value!r} of type {kind!r}. "
        "A Python number or NumPy array is a constant: nothing recorded leads to it or from it."
    )
    argument: ClassVar[str]
    value: Any

    @property
    def kind(self) -> str:
        """The name of its class."""
        return type(self.value).__name__


class NotATarget(NotATensor):
    """A target of a gradient that is not a tensor, or several where one is needed."""

    argument = "target"


class NotASource(NotATensor):
    """A source of a gradient that is not a tensor."""

    argument = "sources"


class NotDifferentiableArgument(Fault):
    """An argument that a function is to be differentiated by, and that does not change in small steps."""

    sentence = (
        "the derivative of {function} with respect to `{argument}` needs floating point or complex numbers, but "
        "`{argument}` is {kind}"
    )
    function: str
    argument: str
    value: Any
    kind: str
    is_number: bool  # an integer or a bool, and neither text nor another object


class FunctionResult(Fault):
    """What a function returned that is differentiated."""

    function: str  # as sentences call it, in backquotes if it has a name
    made_at: tuple[Any, int] | None = None  # the call site of the op that computed it, if an op did
    defined_at: Any = None  # the code of the function, if it is written in Python


class NotAScalarResult(FunctionResult):
    """Many numbers, where the gradient is that of one."""

    sentence = (
        "`{derivative}` is defined for functions that return one number, but {function} returns a tensor of shape "
        "{shape!s}"
    )
    derivative: str
    shape: Shape


class NotADifferentiableResult(FunctionResult):
    """Something that has no derivative: None, integers, text."""

    sentence = "{function} returns {kind}: only floating point numbers can be differentiated"
    value: Any
    kind: str


class UpstreamMismatch(Fault):
    """Upstream gradients that do not fit their targets."""


class UpstreamCount(UpstreamMismatch):
    """Another number of upstream gradients than of targets."""

    sentence = (
        "output_gradients and the target differ in length: {given} and {targets}. Give one gradient for each target, in the structure of the "
        "target (None stands for ones)."
    )
    given: int
    targets: int


class UpstreamDtype(UpstreamMismatch):
    """An upstream gradient of another dtype than its target."""

    sentence = (
        "cannot compute the gradient: output_gradients[{position}] was expected to be a {wanted.cxx_name} tensor but is a "
        "{dtype.cxx_name} tensor; the target has dtype {wanted.name}"
    )
    position: int  # of the target
    shape: Shape
    dtype: DType
    wanted: DType


class UpstreamShape(UpstreamMismatch):
    """An upstream gradient of another shape than its target."""

    sentence = "{counts}output_gradients[{position}] has shape {shape!s}, but its target has shape {wanted!s}"
    position: int
    shape: Shape
    dtype: DType
    wanted: Shape

    @property
    def counts(self) -> str:
        """TensorFlow's sentence, which counts elements, where their numbers differ."""
        return _counts(self.shape, self.wanted)


def _counts(shape: Shape, wanted: Shape) -> str:
    given, needed = math.prod(shape), math.prod(wanted)
    return "" if given == needed else f"{ReshapeCount(count=given, wanted=needed)}\n  "


class CotangentMisfit(Fault):
    """A rule that gave a gradient of another shape or dtype than its input."""

    sentence = (
        "{counts}the gradient of {primitive} for an input of shape {wanted!s} and dtype {wanted_dtype} has shape {shape!s} "
        "and dtype {dtype}"
    )
    primitive: str
    shape: Shape
    dtype: np.dtype[Any]
    wanted: Shape
    wanted_dtype: np.dtype[Any]

    @property
    def counts(self) -> str:
        """TensorFlow's sentence, which counts elements, where their numbers differ."""
        return _counts(self.shape, self.wanted)


class GradientCount(Fault):
    """A gradient function that did not return one gradient for each argument."""

    sentence = "custom_gradient function expected to return {arguments} gradients, but returned {returned} instead."
    arguments: int
    returned: int


class VariableGradientCount(Fault):
    """A gradient function that did not return one gradient for each variable."""

    sentence = "Must return gradient for each variable from @custom_gradient grad_fn."


# -- compiling --


class NoValueYet(Fault):
    """A value that is needed while a function is being compiled, when tensors have shapes and dtypes alone."""

    function: str = ""  # that is being compiled, where that is known


class SymbolicTruth(NoValueYet):
    """A symbolic tensor as a Python bool."""

    sentence = f"Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: {_NO_VALUE}."


class SymbolicValue(NoValueYet):
    """A symbolic tensor that Python or NumPy takes the value of."""

    shape: Shape
    dtype: DType


class SymbolicNumpy(SymbolicValue):
    """`.numpy()` of a symbolic tensor."""

    sentence = f"'SymbolicTensor' object has no attribute 'numpy': {_NO_VALUE}."


class SymbolicNumber(SymbolicValue):
    """A symbolic tensor as a Python number."""

    sentence = f"Cannot convert {_SYMBOLIC} to a Python number: {_NO_VALUE}."
    wanted: str  # "float", "int", "complex", "index", "round" or "format"


class SymbolicArray(SymbolicValue):
    """A symbolic tensor as a NumPy array."""

    sentence = f"Cannot convert {_SYMBOLIC} to a numpy array: {_NO_VALUE}."


class Uncompilable(NoValueYet):
    """Code that TensorFlow runs and XLA cannot compile: the function can run as Python instead."""


class ValueDecides(Uncompilable):
    """A size, an axis or the like that only the value of a symbolic tensor says."""


class StringsComputed(Uncompilable):
    """Strings that a compiled function would have to compute."""

    sentence = "Strings in a compiled function are constants, but {what}."
    what: str


class CompositeReturned(Uncompilable):
    """A ragged or sparse tensor that a compiled function would have to return."""

    sentence = "A compiled function returns dense tensors, not a {kind}."
    kind: str


class QueueUsed(Uncompilable):
    """A queue whose elements a compiled function would have to put or take."""

    sentence = "A compiled function computes the same result from the same arguments, but a queue returns other elements at each call."


class ResultShapeUnknown(Uncompilable):
    """A Python function inside a compiled one, without the shape of its result."""

    sentence = (
        "The shape of what {name} returns must be known while a function that calls it is being compiled: give "
        "Tout=tf.TensorSpec(shape, {dtype!r}) with all sizes, not only a dtype."
    )
    name: str
    dtype: DType


class SymbolicArgument(ValueDecides):
    """A symbolic tensor as an argument whose value an op needs."""

    sentence = (
        f"The value of {_SYMBOLIC} is needed to compile `{{function}}`, because sizes and axes must be known at compile time: "
        f"{_NO_VALUE}."
    )
    shape: Shape
    dtype: DType


class ValueNeededByOp(ValueDecides):
    """A value that an op would have to know."""

    sentence = (
        "A value is needed{by} that is not known yet: inside `{function}`, which is being compiled, tensors have shapes and "
        "dtypes but no values. Pass sizes, axes and numbers of steps as Python numbers, or compute them outside the function."
    )
    needed_by: str = ""  # an op

    @property
    def by(self) -> str:
        """What the sentence says of the op."""
        return f" by {self.needed_by}" if self.needed_by else ""


class ShapeDependsOnValues(ValueDecides):
    """A result whose shape is decided by values."""

    sentence = (
        "The shape of the result depends on values ({what}), but shapes must be known at compile time. {instead}."
    )
    what: str = ""
    instead: str = ""  # what to do


class LoopShapeVaries(Fault):
    """A loop variable whose shape changes in an iteration."""

    sentence = (
        "{loop}: loop variable {number} has shape {before!s} before an iteration but {after!s} after it. A compiled loop keeps the "
        "shapes of its variables: pad to the largest, or write to a tf.TensorArray."
    )
    loop: str
    number: int
    before: Shape
    after: Shape


class NotReturnable(Fault):
    """Something that a compiled function cannot return."""

    sentence = (
        "To be compatible with tf.function, Python functions must return zero or more Tensors or ExtensionTypes or None "
        "values; in compilation of a function found return value of type {kind}, which is not a Tensor or ExtensionType."
    )
    kind: str
