"""shape-mismatch and reshape-count: operands whose shapes do not fit, and operands without the axes that the op needs."""

from __future__ import annotations

import ast
import math

import numpy as np

from whygrad.values import dtypes
from whygrad.values.faults import (
    BatchesDiffer,
    BatchSizesDiffer,
    BiasCount,
    ChannelsDiffer,
    ClassIdsMisshapen,
    ContractedSizesDiffer,
    DistributionsMisshapen,
    EquationMismatch,
    ImageRank,
    IncompatibleShapes,
    InnerSizesDiffer,
    JoinedRanksDiffer,
    JoinedSizesDiffer,
    LoopShapeVaries,
    NotABatch,
    NotAMatrix,
    NotBroadcastableTo,
    NotSizeOne,
    NotSquare,
    PartsDiffer,
    RaggedSequence,
    RankTooLow,
    ReshapeCount,
    RightSideRank,
    RowsDiffer,
    SelectedShapesDiffer,
    ShapesDiffer,
    SplitSizes,
    StackedPartsDiffer,
    UnevenGroups,
    UnevenSplit,
    UpdateShape,
    UpdatesMisshapen,
    VariableShape,
    VectorSizeDiffers,
)
from whygrad.values.variable import Variable
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp, Operand
from whygrad.why.source.edits import filled, replaced, with_keyword, with_part
from whygrad.why.source.sites import unpacks_arguments
from whygrad.why.source.tensor_functions import numpys_take_tensors
from whygrad.why.source.wording import counted


def _mismatch(sentence: str, help: str) -> Explanation:
    return Explanation("shape-mismatch", sentence, help)


# -- products --


_ONE_SIZE = "the axes that are summed over must have one size"


@explains(ContractedSizesDiffer)
def _contraction(op: FailedOp, fault: ContractedSizesDiffer) -> Explanation | None:
    return _mismatch("", _ONE_SIZE)


@explains(InnerSizesDiffer)
def _product(op: FailedOp, fault: InnerSizesDiffer) -> Explanation | None:
    operands = op.in_order[:2]
    if isinstance(fault, VectorSizeDiffers) and len(operands) == 2:
        return _vector(op, *operands)
    if len(operands) < 2 or any(len(each.shape) < 2 for each in operands):
        return _mismatch("", _ONE_SIZE)
    a, b = operands
    flipped = [bool(op.argument(f"transpose_{x}") or op.argument(f"adjoint_{x}")) for x in "ab"]
    left = a.shape[-2 if flipped[0] else -1]
    right = b.shape[-1 if flipped[1] else -2]
    sentence = (
        f"the inner sizes differ: {a.quoted} {a.shape} has {left} at its {_axis(flipped[0], 'last', 'last but one')} axis, "
        f"{b.quoted} {b.shape} has {right} at its {_axis(flipped[1], 'last but one', 'last')}"
    )
    if not any(flipped) and (help := _transposed(op, a, b)):
        return _mismatch(sentence, help)
    return _mismatch(sentence, "the last axis of the first operand must be as long as the last but one of the second")


def _with_transposed(a: Operand, b: Operand, transposed: str) -> str:
    """A product with one of its operands transposed, as the program writes products."""
    if numpys_take_tensors() and len(a.shape) == len(b.shape) == 2:
        return f"{a.primary}.T @ {b.primary}" if transposed == "a" else f"{a.primary} @ {b.primary}.T"
    return f"tf.matmul({a.text}, {b.text}, transpose_{transposed}=True)"


def _vector(op: FailedOp, matrix: Operand, vector: Operand) -> Explanation:
    flipped = bool(op.argument("transpose_a") or op.argument("adjoint_a"))
    takes, other = matrix.shape[-2 if flipped else -1], matrix.shape[-1 if flipped else -2]
    sentence = f"{matrix.quoted} {matrix.shape} takes vectors of {takes}, and {vector.quoted} {vector.shape} has {vector.shape[-1]}"
    if vector.shape[-1] == other and not flipped:
        return _mismatch(
            sentence, f"its transpose takes it: tf.linalg.matvec({matrix.text}, {vector.text}, transpose_a=True)"
        )
    return _mismatch(sentence, "the last axis of the vector must be as long as that of the matrix")


def _axis(flipped: bool, usual: str, other: str) -> str:
    return other if flipped else usual


def _transposed(op: FailedOp, a: Operand, b: Operand) -> str | None:
    """Advice to transpose, where that makes the inner sizes agree."""
    inner = _reversed(b)
    if inner is not None and len(b.shape) > 2 and b.shape[0] == a.shape[-1]:
        return (
            f"tf.transpose without perm reverses all axes, the batch too: use tf.matmul({a.text}, {inner}, transpose_b=True) "
            f"for the transpose of each matrix"
        )
    ways: list[str] = []
    if not _broadcasts(a.shape[:-2], b.shape[:-2]):
        return None
    if a.shape[-1] == b.shape[-1]:
        ways.append(f"{_with_transposed(a, b, 'b')}, of shape {(a.shape[-2], b.shape[-2])}")
    if a.shape[-2] == b.shape[-2]:
        ways.append(f"{_with_transposed(a, b, 'a')}, of shape {(a.shape[-1], b.shape[-1])}")
    if not ways and a.shape[-2] == b.shape[-1]:
        ways.append(f"tf.matmul({b.text}, {a.text}), of shape {(b.shape[-2], a.shape[-1])}")
    matrices = " for each matrix" if max(len(a.shape), len(b.shape)) > 2 else ""
    variable = f", or {b.quoted} made with {a.shape[-1]} rows" if isinstance(b.value, Variable) and not matrices else ""
    return f"these would fit: {' or '.join(ways)}{matrices}{variable}" if ways else None


def _reversed(operand: Operand) -> str | None:
    """What stands inside of `tf.transpose(...)` without perm."""
    node = operand.node
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return ast.unparse(node.args[0]) if name == "transpose" else None
    return None


@explains(NotAMatrix)
def _no_matrix(op: FailedOp, fault: NotAMatrix) -> Explanation | None:
    operands = op.in_order[:2]
    if len(operands) < 2:
        return None
    a, b = operands
    vector = operands[fault.position]
    sentence = f"{vector.quoted} has {counted(len(vector.shape), 'axis')}, shape {vector.shape}: a matrix has 2"
    if len(vector.shape) == 1 and vector is b and len(a.shape) >= 2:
        return _mismatch(
            sentence,
            f"for a matrix times a vector use tf.linalg.matvec({a.text}, {b.text}), or {b.primary}[:, tf.newaxis]",
        )
    if len(vector.shape) == 1 and vector is a and len(b.shape) > 1 and a.shape[0] != b.shape[-2]:
        return _mismatch(
            sentence,
            f"each row for {b.quoted} {b.shape} has {b.shape[-2]} elements: look at what took the other axis from {a.quoted}, a reduction "
            "or an index",
        )
    if len(vector.shape) == 1:
        return _mismatch(sentence, f"make it a matrix of one row: {vector.primary}[tf.newaxis, :]")
    return _mismatch(sentence, "multiply by a scalar with *")


@explains(BatchesDiffer)
def _batches(op: FailedOp, fault: BatchesDiffer) -> Explanation | None:
    operands = op.in_order[:2]
    if len(operands) < 2:
        return None
    a, b = operands
    return _mismatch(
        f"the axes before the last two do not broadcast: {a.quoted} has {a.shape[:-2]} and {b.quoted} has {b.shape[:-2]}",
        "give both the same batch, or one of them 1 in its place",
    )


@explains(EquationMismatch)
def _einsum(op: FailedOp, fault: EquationMismatch) -> Explanation | None:
    equation = fault.equation
    parts = equation.replace(" ", "").split("->")[0].split(",")
    operands = op.arrays
    if len(parts) != len(operands):
        return _mismatch(
            f"the equation '{equation}' names {counted(len(parts), 'tensor')}, but {len(operands)} were given",
            "give one tensor for each part between the commas",
        )
    sizes: dict[str, tuple[int, Operand]] = {}
    for part, operand in zip(parts, operands):
        if "." in part:
            continue
        if len(part) != len(operand.shape):
            return _mismatch(
                f"{operand.quoted} has {counted(len(operand.shape), 'axis')}, shape {operand.shape}, but '{part}' names {len(part)}",
                f"give each axis of {operand.quoted} a letter",
            )
        for letter, size in zip(part, operand.shape):
            known = sizes.setdefault(letter, (size, operand))
            if known[0] != size:
                return _mismatch(
                    f"{letter} is {known[0]} in {known[1].quoted} {known[1].shape} and {size} in {operand.quoted} {operand.shape}",
                    f"a letter has one size in all tensors: give one of the axes another letter, or check the shape of {operand.quoted}",
                )
    return None


# -- element by element --


_GENERAL = "bring the operands to shapes that broadcast: look at each axis from the right"


@explains(NotBroadcastableTo)
def _broadcast_to(op: FailedOp, fault: NotBroadcastableTo) -> Explanation | None:
    given = op.of_shape(fault.shape)
    if given is None:
        return _mismatch("", _GENERAL)
    return _mismatch(
        f"{given.quoted} {given.shape} does not broadcast to {fault.wanted}",
        "each size must be that of the new shape, or 1",
    )


@explains(IncompatibleShapes)
def _broadcast(op: FailedOp, fault: IncompatibleShapes) -> Explanation | None:
    a, b = op.of_shape(fault.a), op.of_shape(fault.b)
    if a is None or b is None:
        return _mismatch("", _GENERAL)
    differing = [i for i, (m, n) in enumerate(zip(a.shape[::-1], b.shape[::-1]), 1) if m != n and 1 not in (m, n)]
    if not differing:
        return None
    at = differing[0]
    where = "last axis" if at == 1 else "last axis but one" if at == 2 else f"axis -{at}"
    sentence = f"{a.quoted} {a.shape} and {b.quoted} {b.shape} do not broadcast: at the {where} {a.shape[-at]} meets {b.shape[-at]}"
    return _mismatch(
        sentence,
        _aligned(a, b) or _aligned(b, a) or _cut(a, b) or "sizes must be equal or 1, axis by axis from the right",
    )


def _aligned(long: Operand, short: Operand) -> str | None:
    """How `short` can be made to broadcast with `long`."""
    inserted = len(long.shape) - len(short.shape)
    if inserted > 0 and short.shape and short.shape == long.shape[: len(short.shape)]:
        axes = ", ".join([":" if len(short.shape) == 1 else "...", *["tf.newaxis"] * inserted])
        one = "row" if len(short.shape) == 1 else "element"
        return f"if {short.quoted} holds one value for each {one} of {long.quoted}: {short.primary}[{axes}]"
    if len(long.shape) == len(short.shape) == 2 and long.shape == short.shape[::-1]:
        return f"if {short.quoted} is transposed: tf.transpose({short.text})"
    if inserted > 0 and len(short.shape) > 1 and _has_batch_of(long.shape, short.shape):
        axes = ", ".join([":", *["tf.newaxis"] * inserted, "..."])
        return f"if both begin with the axis of the batch: {short.primary}[{axes}]"
    if len(long.shape) >= len(short.shape) and (
        _regroups(long.shape, short.shape) or _regroups(short.shape, long.shape)
    ):
        return f"both have {math.prod(long.shape)} elements: if they are in the same order, tf.reshape({short.text}, {list(long.shape)})"
    return None


def _cut(a: Operand, b: Operand) -> str | None:
    """How to bring two operands that differ a little along one axis to one size, as a signal and what layers made of it."""
    differing = [i for i, (m, n) in enumerate(zip(a.shape, b.shape)) if m != n]
    if len(a.shape) != len(b.shape) or len(a.shape) < 2 or len(differing) != 1:
        return None
    (axis,) = differing
    long, short = (a, b) if a.shape[axis] > b.shape[axis] else (b, a)
    if long.shape[axis] > 1.5 * short.shape[axis]:
        return None
    index = ", ".join([*[":"] * axis, f":{short.shape[axis]}"])
    return (
        f"bring axis {axis} to one size: cut {long.quoted}, {long.primary}[{index}], or pad {short.quoted} with tf.pad"
    )


def _has_batch_of(long: tuple[int, ...], short: tuple[int, ...]) -> bool:
    """Whether the first axis of a shape is the first of a longer one, and its others fit the last ones, as a mask for attention."""
    rest = long[len(long) - len(short) + 1 :]
    return short[0] == long[0] and all(n in (1, m) for m, n in zip(rest, short[1:]))


def _regroups(whole: tuple[int, ...], parts: tuple[int, ...]) -> bool:
    """Whether axes of `parts` that stand beside each other make up those of `whole`: (2, 3, 4) those of (6, 4)."""
    sizes = [size for size in parts if size != 1]
    for size in whole:
        while size > 1 and sizes and size % sizes[0] == 0:
            size //= sizes.pop(0)
        if size != 1:
            return False
    return not sizes


@explains(SelectedShapesDiffer)
def _selected(op: FailedOp, fault: SelectedShapesDiffer) -> Explanation | None:
    parts = op.arrays
    odd = next(((a, b) for i, a in enumerate(parts) for b in parts[i + 1 :] if not _broadcasts(a.shape, b.shape)), None)
    if odd is None:
        return None
    a, b = odd
    help = (
        _aligned(a, b)
        or _aligned(b, a)
        or "condition and branches broadcast: sizes must be equal or 1, axis by axis from the right"
    )
    return _mismatch(f"{a.quoted} {a.shape} and {b.quoted} {b.shape} do not broadcast", help)


# -- losses --


def _labels(op: FailedOp) -> tuple[Operand, Operand] | None:
    labels, logits = op.array("labels"), op.array("logits")
    return None if labels is None or logits is None else (labels, logits)


@explains(ClassIdsMisshapen)
def _class_ids(op: FailedOp, fault: ClassIdsMisshapen) -> Explanation | None:
    """The loss that takes class ids."""
    both = _labels(op)
    if both is None:
        return None
    labels, logits = both
    wanted = logits.shape[:-1]
    if labels.shape == logits.shape:
        return _mismatch(
            f"{labels.quoted} has the shape of {logits.quoted}, {logits.shape}, as one-hot labels have; this loss takes class ids, "
            f"of shape {wanted}",
            f"use tf.nn.softmax_cross_entropy_with_logits(labels={labels.text}, logits={logits.text}), or class ids: "
            f"tf.argmax({labels.text}, axis=-1)",
        )
    sentence = f"{labels.quoted} has shape {labels.shape}; one class id for each row of {logits.quoted} {logits.shape} has {wanted}"
    if labels.shape == (*wanted, 1):
        return _mismatch(sentence, f"remove the axis of size 1: tf.squeeze({labels.text}, axis=-1)")
    if wanted == (*labels.shape, 1):
        return _mismatch(
            sentence, f"take the axis of size 1 out of {logits.quoted}: tf.squeeze({logits.text}, axis=-2)"
        )
    if len(wanted) == 2 and labels.shape == wanted[::-1]:
        return _mismatch(
            sentence, f"the first two axes are exchanged: tf.transpose({logits.text}, [1, 0, 2]), or transposed labels"
        )
    differing = [i for i, (m, n) in enumerate(zip(labels.shape, wanted)) if m != n]
    if (
        len(labels.shape) == len(wanted) > 1
        and len(differing) == 1
        and wanted[differing[0]] == labels.shape[differing[0]] + 1
    ):
        index = ", ".join([*[":"] * differing[0], ":-1"])
        return _mismatch(sentence, f"leave out the logits that have no label: {logits.primary}[{index}]")
    return _mismatch(sentence, f"give labels of shape {wanted}, one for each row of {logits.quoted}")


@explains(DistributionsMisshapen)
def _one_hot(op: FailedOp, fault: DistributionsMisshapen) -> Explanation | None:
    """The loss that takes a probability for each class."""
    both = _labels(op)
    if both is None:
        return None
    labels, logits = both
    if labels.shape == logits.shape[:-1]:
        whole = dtypes.as_dtype(labels.value.dtype).is_integer
        ids = labels.text if whole else f"tf.cast({labels.text}, tf.int32)"
        return _mismatch(
            f"{labels.quoted} {labels.shape} holds one number for each row of {logits.quoted} {logits.shape}, as class ids do; "
            "this loss takes a probability for each class",
            f"use tf.nn.sparse_softmax_cross_entropy_with_logits(labels={ids}, logits={logits.text}), or one-hot labels: "
            f"tf.one_hot({ids}, {logits.shape[-1]})",
        )
    if labels.shape[:-1] == logits.shape[:-1]:
        return Explanation(
            "shape-mismatch",
            f"{labels.quoted} has {counted(labels.shape[-1], 'class')} and {logits.quoted} has {logits.shape[-1]}",
            f"give both the same number of classes: shapes {labels.shape} and {logits.shape} differ at the last axis",
            labels,
        )
    return _mismatch(
        f"{labels.quoted} has shape {labels.shape} and {logits.quoted} has {logits.shape}: they must be equal", ""
    )


@explains(ShapesDiffer)
def _same_shape(op: FailedOp, fault: ShapesDiffer) -> Explanation | None:
    a, b = op.array(fault.second), op.array(fault.first)
    if a is None or b is None:
        return None
    sentence = f"{a.quoted} has shape {a.shape} and {b.quoted} has {b.shape}: they must be equal"
    if math.prod(a.shape) == math.prod(b.shape):
        return _mismatch(sentence, f"they hold the same number of elements: tf.reshape({a.text}, {_shape_of(b)})")
    return _mismatch(sentence, f"give one element of {a.quoted} for each of {b.quoted}")


def _shape_of(operand: Operand) -> str:
    """The shape of an operand, as the user could write it."""
    if isinstance(operand.node, ast.Name | ast.Attribute):
        return f"{operand.text}.shape"
    return str(list(operand.shape))


@explains(LoopShapeVaries)
def _loop(op: FailedOp, fault: LoopShapeVaries) -> Explanation:
    return _mismatch(
        f"loop variable {fault.number} of {fault.loop} has shape {fault.before} before an iteration and {fault.after} after it; a "
        "compiled loop keeps the shapes of its variables",
        "pad it to its largest shape, or write the elements to a tf.TensorArray",
    )


# -- variables --


@explains(VariableShape)
def _assigned(op: FailedOp, fault: VariableShape) -> Explanation | None:
    variable, value = op.owner, op.operand("value", "delta")
    if variable is None or value is None:
        return None
    if not value.is_array:  # a list of numbers
        return _mismatch(
            f"{variable.quoted} has shape {variable.shape}, and {value.quoted} has {fault.value}",
            f"a variable keeps its shape: give it a value of shape {variable.shape}",
        )
    sentence = f"{variable.quoted} has shape {variable.shape}, and {value.quoted} has {value.shape}"
    if math.prod(variable.shape) == math.prod(value.shape):
        help = f"give it the shape of the variable: tf.reshape({value.text}, {_shape_of(variable)})"
    elif value.shape[1:] == variable.shape:
        help = f"the value has one more axis: if that is the batch, tf.reduce_mean({value.text}, axis=0)"
    elif isinstance(fault, UpdateShape):
        help = (
            f"a gradient has the shape of its own variable, so {value.quoted} may belong to another: keep both in one order, as in "
            "zip(tape.gradient(loss, variables), variables)"
        )
    elif _broadcasts_to(value.shape, variable.shape):
        help = f"assigning does not broadcast: tf.broadcast_to({value.text}, {_shape_of(variable)})"
    else:
        help = f"a variable keeps its shape: give it a value of shape {variable.shape}, or make it with shape=tf.TensorShape(None)"
    return _mismatch(sentence, help)


def _broadcasts_to(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return _broadcasts(shape, wanted) and np.broadcast_shapes(shape, wanted) == wanted


def _broadcasts(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(1 in (m, n) or m == n for m, n in zip(a[::-1], b[::-1]))


# -- images --


@explains(ImageRank)
def _image(op: FailedOp, fault: ImageRank) -> Explanation | None:
    image = op.array("input", "value")
    if image is None:
        return None
    rank = fault.wanted
    axes = ("batch", *("depth", "height", "width")[5 - rank :], "channels") if rank in (3, 4, 5) else None
    if axes is None:
        return None
    sentence = f"{image.quoted} has {counted(len(image.shape), 'axis')}, shape {image.shape}; the op takes {rank}: ({', '.join(axes)})"
    filters = op.array("filters", "filter")
    depth = None if filters is None or len(filters.shape) != rank else filters.shape[-2]
    batch, channels = f"{image.primary}[tf.newaxis]", f"{image.primary}[..., tf.newaxis]"
    if len(image.shape) == rank - 2:
        return _mismatch(sentence, f"add the axes of batch and channels: {image.primary}[tf.newaxis, ..., tf.newaxis]")
    if len(image.shape) != rank - 1:
        return _mismatch(sentence, "")
    if depth is not None and image.shape[-1] == depth:
        return _mismatch(sentence, f"add the batch axis: {batch}")
    if depth == 1:
        return _mismatch(sentence, f"add the channel axis: {channels}")
    return _mismatch(sentence, f"add the axis that is missing: {batch} for the batch, or {channels} for the channels")


@explains(ChannelsDiffer)
def _channels(op: FailedOp, fault: ChannelsDiffer) -> Explanation | None:
    image, filters = op.array("input", "value"), op.array("filters", "filter")
    if image is None or filters is None:
        return None
    have, want = fault.channels, fault.wanted
    sentence = f"{image.quoted} has {counted(have, 'channel')} at its last axis, and {filters.quoted} takes {want}"
    rank = len(image.shape)
    if image.shape[1] == want:
        order = [0, *range(2, rank), 1]
        return _mismatch(
            sentence,
            f"axis 1 of {image.quoted} has {want}: if those are the channels, bring them last with tf.transpose({image.text}, {order})",
        )
    return _mismatch(
        sentence,
        f"axis {len(filters.shape) - 2} of the filters is the number of input channels: make it {have}, or give {want}",
    )


@explains(UnevenGroups)
def _groups(op: FailedOp, fault: UnevenGroups) -> Explanation | None:
    image, filters = op.array("input", "value"), op.array("filters", "filter")
    if image is None or filters is None:
        return None
    return _mismatch(
        f"{image.quoted} has {counted(fault.channels, 'channel')} and {filters.quoted} takes {fault.wanted}, which makes {fault.groups} "
        f"groups, but its {fault.outputs} outputs are not a multiple of {fault.groups}",
        f"for a convolution without groups make axis {len(filters.shape) - 2} of the filters {fault.channels}; with groups make the "
        f"last axis a multiple of {fault.groups}",
    )


@explains(BiasCount)
def _bias(op: FailedOp, fault: BiasCount) -> Explanation | None:
    value, bias = op.array("value"), op.array("bias")
    if value is None or bias is None or not value.shape or not bias.shape:
        return None
    return _mismatch(
        f"{bias.quoted} has {counted(bias.shape[0], 'element')}, and the last axis of {value.quoted} {value.shape} has {value.shape[-1]}",
        f"give one bias for each of the {value.shape[-1]}",
    )


# -- putting together and taking apart --


@explains(JoinedSizesDiffer)
def _concat(op: FailedOp, fault: JoinedSizesDiffer) -> Explanation | None:
    at, parts = fault.axis, _joined(op)
    if parts is None or len({len(each.shape) for each in parts}) > 1:
        return None
    a, b = parts[0], parts[fault.position]
    sentence = f"all sizes but that of axis {fault.along} must be equal: {a.quoted} has {a.shape[at]} and {b.quoted} has {b.shape[at]} at axis {at}"
    others = [tuple(size for i, size in enumerate(each.shape) if i != at) for each in parts]
    if len(set(others)) == 1:
        if isinstance(op.node, ast.Call) and not unpacks_arguments(op.node):
            code = with_keyword(op.code.co_filename, op.node, "axis", str(at), 1)
            return Explanation("shape-mismatch", sentence, f"along axis {at} they fit: {code.text}", edits=code.edits)
        return _mismatch(sentence, f"along axis {at} they fit")
    return _mismatch(sentence, f"bring axis {at} of {b.quoted} to {a.shape[at]}")


@explains(JoinedRanksDiffer)
def _concat_ranks(op: FailedOp, fault: JoinedRanksDiffer) -> Explanation | None:
    parts = _joined(op)
    if parts is None:
        return None
    a, b = parts[0], parts[fault.position]
    fewer, more = (a, b) if len(a.shape) < len(b.shape) else (b, a)
    return _mismatch(
        f"{a.quoted} has {counted(len(a.shape), 'axis')} and {b.quoted} has {len(b.shape)}: shapes {a.shape} and {b.shape}",
        f"give {fewer.quoted} the axes of {more.quoted}, with {fewer.primary}[tf.newaxis] or tf.expand_dims({fewer.text}, -1)",
    )


def _joined(op: FailedOp) -> list[Operand] | None:
    """What is put together, if all of it has a shape."""
    parts = [each for each in op.operands if each.part_of in ("values", "inputs", "arrays")]
    return parts if parts and all(each.is_array for each in parts) else None


@explains(PartsDiffer)
def _unequal(op: FailedOp, fault: PartsDiffer) -> Explanation | None:
    parts = [each for each in op.operands if each.part_of in ("values", "inputs", "arrays")]
    if len(parts) <= fault.position:
        return None
    first, odd = parts[0], parts[fault.position]
    return _mismatch(
        f"{first.quoted} has shape {fault.first} and {odd.quoted} has {fault.shape}: they must be equal",
        "tf.concat joins tensors of different sizes along one axis; tf.pad fills up the shorter ones"
        if isinstance(fault, StackedPartsDiffer)
        else "bring all to one shape: what is added up here does not broadcast",
    )


_MOST_PARTS = 8  # whose sizes are written out


@explains(UnevenSplit)
def _split(op: FailedOp, fault: UnevenSplit) -> Explanation | None:
    axis, size, number = fault.axis, fault.size, fault.parts
    tensor = op.array("value")
    if tensor is None:
        return None
    sizes = [size // number + (i < size % number) for i in range(min(number, _MOST_PARTS))]
    return _mismatch(
        f"axis {axis} of {tensor.quoted} {tensor.shape} has {counted(size, 'element')}, which is not a multiple of {number}",
        f"for parts of different sizes give the sizes: tf.split({tensor.text}, {sizes}, axis={axis})"
        if number <= _MOST_PARTS
        else "give the sizes of the parts, as a list that adds up",
    )


@explains(SplitSizes)
def _split_sizes(op: FailedOp, fault: SplitSizes) -> Explanation | None:
    tensor, axis = op.array("value"), op.argument("axis")
    if tensor is None or not isinstance(axis, int):
        return None
    return _mismatch(
        f"the sizes add up to {fault.total}, and axis {axis} of {tensor.quoted} {tensor.shape} has {fault.size}",
        "let the sizes add up to that; -1 stands for what is left",
    )


@explains(ReshapeCount)
def _reshape(op: FailedOp, fault: ReshapeCount) -> Explanation | None:
    general = "a reshape keeps the number of elements: write -1 for the size that follows from the others"
    tensor = op.array("tensor", "a")
    count, wanted = fault.count, fault.wanted
    if tensor is None or math.prod(tensor.shape) != count:
        return Explanation("reshape-count", "", general)
    multiple = "a multiple of " if fault.multiple else ""
    sentence = (
        f"{tensor.quoted} {tensor.shape} has {counted(count, 'element')}, but the new shape has {multiple}{wanted}"
    )
    shape = op.operand("shape")
    first = _first_size(shape)
    if not multiple and first is not None and tensor.shape[:1] == (first,) and first > 0:
        return Explanation(
            "reshape-count",
            sentence,
            f"{general}: tf.reshape({tensor.text}, [{first}, -1]) gives {(first, count // first)}",
        )
    if not multiple and first is None:  # a shape that the program computes, or that of another tensor
        general = f"a reshape keeps the number of elements: give it {wanted} of them, or another shape"
    each = count // tensor.shape[0] if tensor.shape and tensor.shape[0] else 0
    if multiple and len(tensor.shape) > 1 and each != wanted:
        general = (
            f"each of the {tensor.shape[0]} rows has {each} elements, and the new shape takes {wanted}: let what makes {tensor.quoted} "
            f"give {wanted} for a row, or choose sizes whose product is {each}"
        )
    return Explanation("reshape-count", sentence, general)


def _first_size(shape: Operand | None) -> int | None:
    """The first size of a shape that is written out."""
    node = None if shape is None else shape.node
    first = node.elts[0] if isinstance(node, ast.List | ast.Tuple) and node.elts else None
    return first.value if isinstance(first, ast.Constant) and type(first.value) is int else None


@explains(NotSizeOne)
def _squeezed(op: FailedOp, fault: NotSizeOne) -> Explanation | None:
    tensor = op.array("input")
    if tensor is None:
        return None
    ones = [i for i, size in enumerate(tensor.shape) if size == 1]
    return _mismatch(
        f"axis {fault.axis} of {tensor.quoted} has {fault.size} elements; squeeze removes axes of size 1",
        f"the axes of size 1 are {ones}"
        if ones
        else f"{tensor.quoted} has no axis of size 1: leave squeeze out, or reduce",
    )


@explains(UpdatesMisshapen)
def _updates(op: FailedOp, fault: UpdatesMisshapen) -> Explanation | None:
    updates, indices, wanted = op.operand("updates"), op.operand("indices"), fault.wanted
    if updates is None or indices is None:
        return None
    positions = f"{indices.quoted} {fault.indices}"
    if wanted is None:
        return _mismatch(
            f"each position in {positions} has {counted(fault.indices[-1], 'number')}, and the tensor has shape {fault.shape}",
            f"the last axis of {indices.quoted} holds one number for each axis: {len(fault.shape)} at most",
        )
    sentence = (
        f"{updates.quoted} has shape {fault.updates}: for the positions in {positions} in a tensor of shape {fault.shape} it must "
        f"have {wanted}"
    )
    if math.prod(fault.updates) != math.prod(wanted):
        return _mismatch(sentence, f"give one value of shape {wanted[len(fault.indices) - 1 :]} for each position")
    shown = f"tf.reshape({updates.text}, {wanted})"
    edits = op.with_operand(updates, f"tf.reshape({{0}}, {wanted})")
    return Explanation("shape-mismatch", sentence, f"they are as many: {shown}", edits=edits)


# -- matrices --


@explains(RankTooLow)
def _rank(op: FailedOp, fault: RankTooLow) -> Explanation | None:
    wanted = fault.at_least
    low = next((each for each in op.arrays if len(each.shape) < wanted), None)
    if low is None:
        return None
    return _mismatch(
        f"{low.quoted} has {counted(len(low.shape), 'axis')}, shape {low.shape}: at least {wanted} are needed",
        "a matrix has rows and columns; a batch of matrices has its axes before those" if wanted == 2 else "",
    )


@explains(NotSquare)
def _square(op: FailedOp, fault: NotSquare) -> Explanation | None:
    matrix = op.arrays[0] if op.arrays else None
    if matrix is None:
        return None
    return _mismatch(
        f"{matrix.quoted} has shape {matrix.shape}: the last two sizes of a square matrix are equal",
        f"tf.linalg.pinv({matrix.text}) is an inverse for other matrices, and tf.linalg.lstsq solves with them",
    )


@explains(RightSideRank)
def _right_side(op: FailedOp, fault: RightSideRank) -> Explanation | None:
    if len(op.arrays) < 2:
        return None
    matrix, right = op.in_order[:2]
    sentence = (
        f"{right.quoted} has shape {right.shape}: the right-hand side for {matrix.quoted} {matrix.shape} is a matrix too, with a "
        "column for each system"
    )
    if right.shape != matrix.shape[:-1] or right.node is None or not isinstance(op.node, ast.Call):
        return _mismatch(sentence, f"give {right.quoted} {counted(len(matrix.shape), 'axis')}")
    file = op.code.co_filename
    solved = with_part(file, op.node, right.node, filled("{0}[..., tf.newaxis]", right.node)).text + "[..., 0]"
    help = f"give the vector an axis, and remove it from the solution: {solved}"
    return Explanation("shape-mismatch", sentence, help, edits=(replaced(file, op.node, solved),))


@explains(RowsDiffer)
def _solved(op: FailedOp, fault: RowsDiffer) -> Explanation | None:
    if len(op.arrays) < 2:
        return None
    matrix, right = op.in_order[:2]
    return _mismatch(
        f"{matrix.quoted} {matrix.shape} and {right.quoted} {right.shape} need the same number of rows",
        f"give {right.quoted} {matrix.shape[-2]} rows; a single vector needs one more axis: {right.primary}[:, tf.newaxis]"
        if len(right.shape) == 1
        else f"give {right.quoted} {matrix.shape[-2]} rows",
    )


# -- batch_jacobian --


@explains(NotABatch)
def _batch(op: FailedOp, fault: NotABatch) -> Explanation | None:
    target, source, tape = op.array("target"), op.array("source"), op.owner
    if target is None or source is None:
        return None
    low = [each for each in (target, source) if len(each.shape) < 2]
    name = "tape" if tape is None else tape.primary
    found = " and ".join(f"{each.quoted} has shape {each.shape}" for each in low)
    return _mismatch(
        f"{found}: batch_jacobian takes batches, (samples, ...), of rank 2 and more",
        f"without a batch, {name}.jacobian({target.text}, {source.text}) gives all derivatives",
    )


@explains(BatchSizesDiffer)
def _batch_sizes(op: FailedOp, fault: BatchSizesDiffer) -> Explanation | None:
    target, source, tape = op.array("target"), op.array("source"), op.owner
    if target is None or source is None:
        return None
    name = "tape" if tape is None else tape.primary
    return _mismatch(
        f"{target.quoted} has {target.shape[0]} samples and {source.quoted} has {source.shape[0]}: shapes {target.shape} and {source.shape}",
        f"the first axis counts the samples in both; otherwise use {name}.jacobian({target.text}, {source.text})",
    )


# -- sequences --


@explains(RaggedSequence)
def _ragged(op: FailedOp, fault: RaggedSequence) -> Explanation | None:
    return _mismatch("", "all rows of a tensor have one length: pad the shorter ones")
