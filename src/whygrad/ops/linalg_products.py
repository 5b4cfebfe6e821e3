"""Products of matrices and tensors: matmul, tensordot, einsum and others; matrix transposes."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.engines.numpy import engine
from whygrad.ops.arguments import flag, integer, text
from whygrad.ops.elementwise import cast, conj
from whygrad.ops.primitive import Primitive, apply, binary, check_same_dtype, convert_operands
from whygrad.ops.shaping import reshape
from whygrad.ops.traits import Arithmetic, Batching, Moves, Traits
from whygrad.runtime.data import Data
from whygrad.values import dtypes
from whygrad.values.conversion import convert, convert_to_tensor
from whygrad.values.errors import (
    FailedPreconditionError,
    InvalidArgumentError,
    NotFoundError,
    OpIndexError,
    OpTypeError,
    OpValueError,
    invalid,
    shape_text,
)
from whygrad.values.faults import (
    AxisOutOfRange,
    BatchesDiffer,
    ContractedSizesDiffer,
    DtypeNotAllowed,
    EquationCount,
    EquationRank,
    EquationSize,
    InnerSizesDiffer,
    NotAMatrix,
    NotRepresentable,
    VectorSizeDiffers,
)
from whygrad.values.tensor import Tensor

# -- transposes --

_matrix_transpose = Primitive(
    "matrix_transpose",
    lambda xp, x: xp.matrix_transpose(x),
    vjp=lambda xp, g: xp.matrix_transpose(g),
    op_name="Transpose",
    traits=Traits(moves=Moves.ALL, makes_axis=True, batching=Batching.MATRICES),
)


@export("linalg.matrix_transpose")
def matrix_transpose(a: Any, name: str = "matrix_transpose", conjugate: bool = False) -> Tensor:
    """Swap the last two axes.

    >>> import whygrad as tf
    >>> tf.linalg.matrix_transpose([[1.0, 2.0], [3.0, 4.0]]).numpy()
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    x = convert(a, None)
    if x.ndim < 2:
        raise OpValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2.  Received `a` = {x._array} with shape: {x.shape}"
        )
    transposed = apply(_matrix_transpose, x)
    return conjugated(transposed) if flag(conjugate, "conjugate") else transposed


def conjugated(x: Tensor) -> Tensor:
    """The complex conjugate; a real tensor is returned unchanged."""
    return conj(x) if x._array.dtype.kind == "c" else x


@export("linalg.adjoint")
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Swap the last two axes, and conjugate complex elements.

    >>> import whygrad as tf
    >>> tf.linalg.adjoint([[1.0 + 2.0j, 3.0]]).numpy()
    array([[1.-2.j],
           [3.-0.j]])
    """
    return matrix_transpose(matrix, conjugate=True)


# -- matmul --


def _matmul_vjp_b(xp: Any, g: Any, a: Any, b_shape: tuple[int, ...]) -> Any:
    a, g = _as_one_batch(xp, a, g, b_shape)
    return xp.matmul(xp.matrix_transpose(a), g)


def _as_one_batch(xp: Any, a: Any, g: Any, b_shape: tuple[int, ...]) -> tuple[Any, Any]:
    """With one matrix b for a whole batch, stack the rows of all matrices: one product instead of a batch of products and a sum."""
    if len(b_shape) == 2 and len(a.shape) > 2:
        count = math.prod(a.shape[:-1])
        a, g = xp.reshape(a, (count, a.shape[-1])), xp.reshape(g, (count, g.shape[-1]))
    return a, g


_product = binary(  # the hot op of a training step, with the shortest code path
    "matmul",
    "matmul",
    vjp=(lambda xp, g, b: xp.matmul(g, xp.matrix_transpose(b)), _matmul_vjp_b),
    op_name="MatMul",
    traits=Traits(arithmetic=Arithmetic.MATRIX_PRODUCT, batching=Batching.MATRICES),
    doc="""a @ b, with the operands checked.""",
)


def _transposed_vjp_a(xp: Any, g: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    """The rule of the product, transposed for a transposed operand."""
    if transpose_a:
        return xp.matmul(xp.matrix_transpose(b) if transpose_b else b, xp.matrix_transpose(g))
    return xp.matmul(g, b if transpose_b else xp.matrix_transpose(b))


def _transposed_vjp_b(xp: Any, g: Any, a: Any, b_shape: tuple[int, ...], transpose_a: bool, transpose_b: bool) -> Any:
    if not transpose_a:
        a, g = _as_one_batch(xp, a, g, b_shape)
    if transpose_b:
        return xp.matmul(xp.matrix_transpose(g), xp.matrix_transpose(a) if transpose_a else a)
    return xp.matmul(a if transpose_a else xp.matrix_transpose(a), g)


_transposed_product = Primitive(  # one op, whose gradients have the layout of the operands
    "transposed_matmul",
    lambda xp, a, b, *, transpose_a, transpose_b: xp.matmul(
        xp.matrix_transpose(a) if transpose_a else a, xp.matrix_transpose(b) if transpose_b else b
    ),
    vjp=(_transposed_vjp_a, _transposed_vjp_b),
    broadcasts=True,
    op_name="MatMul",
    traits=Traits(arithmetic=Arithmetic.MATRIX_PRODUCT, batching=Batching.MATRICES),
)

_MATMUL_INTEGERS = ("int32", "int64", "uint8", "uint16", "uint32", "uint64")


@export("matmul", "linalg.matmul")
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: str | None = None,
) -> Tensor:
    """The matrix product a @ b; batches of matrices broadcast.

    >>> import whygrad as tf
    >>> tf.matmul([[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    """
    if type(a) is not Tensor:
        a = convert(a, None)
    if type(b) is not Tensor:
        b = convert_to_tensor(b, dtype_hint=a.dtype)
    if not (transpose_a is transpose_b is adjoint_a is adjoint_b is False):
        transpose_a, transpose_b = flag(transpose_a, "transpose_a"), flag(transpose_b, "transpose_b")
        adjoint_a, adjoint_b = flag(adjoint_a, "adjoint_a"), flag(adjoint_b, "adjoint_b")
        for operand, transposed, adjointed in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
            if transposed and adjointed:
                raise OpValueError(
                    f"Only one of `transpose_{operand}` and `adjoint_{operand}` can be True. Received "
                    f"`transpose_{operand}`={transposed}, `adjoint_{operand}`={adjointed}."
                )
    # A float32 product, whatever `output_type` is.
    if (
        a._array.dtype is not b._array.dtype
        and {a.dtype, b.dtype} == {dtypes.bfloat16, dtypes.float32}
        and (a.ndim == b.ndim == 2 or a_is_sparse or b_is_sparse)
    ):
        a, b, output_type = _cast_operand(a, dtypes.float32), _cast_operand(b, dtypes.float32), None
    if output_type is not None:
        a, b = _mixed_operands(a, b, dtypes.as_dtype(output_type))
    a_shape, b_shape, dtype = a._array.shape, b._array.shape, a._array.dtype
    if dtype is not b._array.dtype:
        check_same_dtype(a, b, "MatMul")
    if len(a_shape) < 2 or len(b_shape) < 2:
        raise _too_few_axes(a_shape, b_shape)
    if dtype.kind not in "fcV":
        _check_integers(a)
    inner_a = a_shape[-2 if transpose_a or adjoint_a else -1]
    inner_b = b_shape[-1 if transpose_b or adjoint_b else -2]
    if inner_a != inner_b:
        raise _unequal_sizes(a_shape, b_shape)
    if len(a_shape) > 2 and len(b_shape) > 2 and a_shape[:-2] != b_shape[:-2]:
        check_batches(a_shape, b_shape, "BatchMatMulV2")
    if adjoint_a or adjoint_b:
        a, b = (conjugated(t) if adjointed else t for t, adjointed in ((a, adjoint_a), (b, adjoint_b)))
        transpose_a, transpose_b = transpose_a or adjoint_a, transpose_b or adjoint_b
    if transpose_a or transpose_b:
        return apply(_transposed_product, a, b, transpose_a=bool(transpose_a), transpose_b=bool(transpose_b))
    return _product(a, b)


def checked_product(a: Any, b: Any) -> Any:
    """The product of NumPy matrices, with the checks of `matmul`."""
    a_shape, b_shape = a.shape, b.shape
    if len(a_shape) < 2 or len(b_shape) < 2:
        raise _too_few_axes(a_shape, b_shape)
    if a_shape[-1] != b_shape[-2]:
        raise _unequal_sizes(a_shape, b_shape)
    if len(a_shape) > 2 and len(b_shape) > 2 and a_shape[:-2] != b_shape[:-2]:
        check_batches(a_shape, b_shape, "BatchMatMulV2")
    return engine.matmul(a, b)


def _too_few_axes(a_shape: tuple[int, ...], b_shape: tuple[int, ...]) -> Exception:
    which = 0 if len(a_shape) < 2 else 1
    return invalid(NotAMatrix(position=which, shape=(a_shape, b_shape)[which], op="MatMul"))


def _unequal_sizes(a_shape: tuple[int, ...], b_shape: tuple[int, ...]) -> Exception:
    return invalid(InnerSizesDiffer(a=a_shape, b=b_shape, op="MatMul"))


def _check_integers(a: Tensor) -> None:
    """Raise InvalidArgumentError for integer dtypes that products do not accept."""
    if a.dtype.name not in _MATMUL_INTEGERS:
        allowed = ("bfloat16", "half", "float", "double", *_MATMUL_INTEGERS, "complex64", "complex128")
        raise invalid(DtypeNotAllowed(dtype=a.dtype, allowed=allowed, op="MatMul"))


def check_batches(a_shape: Sequence[int], b_shape: Sequence[int], op_name: str) -> None:
    """Raise InvalidArgumentError unless the batch axes of two arrays of matrices broadcast."""
    try:
        np.broadcast_shapes(a_shape[:-2], b_shape[:-2])
    except ValueError:
        raise invalid(BatchesDiffer(a=tuple(a_shape), b=tuple(b_shape), op=op_name)) from None


# The dtypes of a, b and their product for which TensorFlow has a kernel, beside those that are all the same.
_SMALL_INTEGERS = (dtypes.int8, dtypes.uint8)
_MIXED_PRODUCTS = {(a, b, dtypes.int32) for a in _SMALL_INTEGERS for b in _SMALL_INTEGERS} | {
    pair
    for i in _SMALL_INTEGERS
    for pair in ((dtypes.bfloat16, i, dtypes.bfloat16), (i, dtypes.bfloat16, dtypes.bfloat16))
}


def _mixed_operands(a: Tensor, b: Tensor, output_type: dtypes.DType) -> tuple[Tensor, Tensor]:
    """Both operands in the dtype of their product."""
    if a.dtype is output_type and b.dtype is output_type:
        return a, b
    if (a.dtype, b.dtype, output_type) not in _MIXED_PRODUCTS:
        types = f"Ta={a.dtype.name}, Tb={b.dtype.name}, Tout={output_type.name}"
        raise NotFoundError(
            None,
            None,
            f"Could not find device for node: BatchMatMulV3[{types}]. `output_type` may be int32 for products of int8 and "
            "uint8, and bfloat16 for those of bfloat16 with them: cast the operands.",
        )
    return _cast_operand(a, output_type), _cast_operand(b, output_type)


def _cast_operand(tensor: Tensor, dtype: dtypes.DType) -> Tensor:
    return tensor if tensor.dtype is dtype else cast(tensor, dtype)


@export("linalg.matvec")
def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of a matrix and a vector; batches broadcast.

    >>> import whygrad as tf
    >>> tf.linalg.matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0]).numpy()
    array([3., 7.], dtype=float32)
    """
    a, b = convert(a, None), convert(b, None)
    if b.ndim < 1:
        wording = "In[{position}] ndims must be >= 2: a vector is needed, but it is a scalar"
        raise invalid(NotAMatrix(position=1, shape=(), op="MatMul", wording=wording))
    column = reshape(b, (*b.shape, 1))
    try:
        product = matmul(a, column, transpose_a=transpose_a, adjoint_a=adjoint_a)
    except InvalidArgumentError as error:
        if isinstance(error.fault, InnerSizesDiffer):
            raise invalid(VectorSizeDiffers(**vars(error.fault))) from None
        raise
    return reshape(product, tuple(product.shape)[:-1])


# -- contractions over any axes --

# Axes carry labels (small integers). Each rule is again such a contraction.
_contract = Primitive(
    "contract",
    lambda xp, a, b, *, a_labels, b_labels, labels: xp.contract(
        a, b, a_labels=a_labels, b_labels=b_labels, labels=labels
    ),
    vjp=(
        lambda xp, g, b, a_labels, b_labels, labels: xp.contract(
            g, b, a_labels=labels, b_labels=b_labels, labels=a_labels
        ),
        lambda xp, g, a, a_labels, b_labels, labels: xp.contract(
            g, a, a_labels=labels, b_labels=a_labels, labels=b_labels
        ),
    ),
    op_name="Einsum",
    traits=Traits(arithmetic=Arithmetic.CONTRACTION, batching=Batching.LABELLED),
)

# Diagonals, sums and permutations of one operand's axes, and the transpose of that map: each is the other's rule.
_einsum_reduce = Primitive(
    "einsum_reduce",
    lambda xp, x, *, x_labels, labels: xp.einsum_reduce(x, x_labels=x_labels, labels=labels),
    vjp=lambda xp, g, x_labels, labels, x_shape: xp.einsum_spread(g, x_labels=x_labels, labels=labels, shape=x_shape),
    op_name="Einsum",
    traits=Traits(batching=Batching.LABELLED),
)
_einsum_spread = Primitive(
    "einsum_spread",
    lambda xp, y, *, x_labels, labels, shape: xp.einsum_spread(y, x_labels=x_labels, labels=labels, shape=shape),
    vjp=lambda xp, g, x_labels, labels: xp.einsum_reduce(g, x_labels=x_labels, labels=labels),
    op_name="Einsum",
    traits=Traits(batching=Batching.LABELLED),
)


@export("tensordot", "linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Contract two tensors over the given axes: a number of axes, or two lists of axes.

    >>> import whygrad as tf
    >>> a, b = tf.ones((2, 3)), tf.ones((4, 3))
    >>> tf.tensordot(a, b, [[1], [1]]).shape
    TensorShape([2, 4])
    """
    a, b = convert_operands(a, b)
    a_axes, b_axes = _tensordot_axes(axes, a, b)
    check_same_dtype(a, b, "MatMul")
    if a._array.dtype.kind not in "fcV":
        _check_integers(a)
    a_labels = list(range(a.ndim))
    b_labels = list(range(a.ndim, a.ndim + b.ndim))
    for i, j in zip(a_axes, b_axes):
        if a.shape[i] != b.shape[j]:
            raise invalid(ContractedSizesDiffer(a=a._array.shape, b=b._array.shape, a_axis=i, b_axis=j, op="MatMul"))
        b_labels[j] = a_labels[i]
    summed = {a_labels[i] for i in a_axes}
    labels = tuple([label for label in (*a_labels, *b_labels) if label not in summed])
    return apply(_contract, a, b, a_labels=tuple(a_labels), b_labels=tuple(b_labels), labels=labels)


def _tensordot_axes(axes: Any, a: Tensor, b: Tensor) -> tuple[list[int], list[int]]:
    """The axes of `a` and `b` to sum over, as non-negative ints."""
    if isinstance(axes, Tensor | np.ndarray):
        axes = np.asarray(axes).tolist()
    if isinstance(axes, int | np.integer):
        count = integer(axes, "axes")
        if count < 0:
            raise OpValueError(f"`axes` must be at least 0. Received: {count}.")
        for tensor in (a, b):
            if count > tensor.ndim:
                raise OpValueError(
                    f"`axes` must not be larger than the number of dimensions of tensor {tensor._array}.  Received "
                    f"{count}, vs tensor dimensions {tensor.ndim}."
                )
        return list(range(a.ndim - count, a.ndim)), list(range(count))
    if not isinstance(axes, list | tuple):
        raise OpTypeError(NotRepresentable(shown=repr(axes), dtype=dtypes.int32))
    if len(axes) != 2:
        raise OpValueError(f"`axes` must be an integer or have length 2. Received {axes}.")
    a_axes, b_axes = (_axis_list(each, tensor) for each, tensor in zip(axes, (a, b)))
    if len(a_axes) != len(b_axes):
        raise OpValueError(f"Different number of contraction axes `a` and `b`, {len(a_axes)} != {len(b_axes)}.")
    return a_axes, b_axes


def _axis_list(axes: Any, tensor: Tensor) -> list[int]:
    if isinstance(axes, Tensor | np.ndarray):
        axes = np.asarray(axes).tolist()
    numbers = [integer(axis, "axes") for axis in (axes if isinstance(axes, list | tuple) else [axes])]
    for axis in numbers:
        if not -tensor.ndim <= axis < tensor.ndim:
            wording = f"list index out of range: axis {{axis}} of a tensor of shape {tensor.shape}"
            raise OpIndexError(AxisOutOfRange(axis=axis, rank=tensor.ndim, wording=wording))
    normal = [axis % tensor.ndim for axis in numbers]
    if len(set(normal)) != len(normal):
        raise OpValueError(f"An axis is named twice in {numbers} for a tensor of shape {tensor.shape}.")
    return normal


# -- einsum --

_EQUATION = r"(?:[a-zA-Z]|\.\.\.)*(?:,(?:[a-zA-Z]|\.\.\.)*)*(?:->(?:[a-zA-Z]|\.\.\.)*)?"  # compiled when first used
Labels = tuple[int, ...]
_ELLIPSIS = 0  # in parsed subscripts; letters are their code points, and broadcast axes are negative


@export("einsum", "linalg.einsum")
def einsum(equation: str, *inputs: Any, **kwargs: Any) -> Tensor:
    """Sum products by Einstein's convention: a letter names an axis, and letters missing in the result are summed over.

    `...` stands for axes that broadcast; a letter twice in one operand takes its diagonal; without `->` the result has the
    ellipsis, then the letters that occur once, in alphabetical order.

    >>> import whygrad as tf
    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.einsum("ij,jk->ik", a, a).numpy()
    array([[ 7., 10.],
           [15., 22.]], dtype=float32)
    >>> tf.einsum("ii", a).numpy()
    np.float32(5.0)
    """
    unknown = [key for key in kwargs if key not in ("name", "optimize", "greedy")]
    if unknown:
        raise OpTypeError(
            f"Invalid keyword arguments for einsum: {', '.join(unknown)}. Valid arguments: name, optimize, greedy."
        )
    tensors = _same_dtype_operands(inputs)
    shapes = tuple([t._array.shape for t in tensors])
    optimize = kwargs.get("optimize")
    plan = _einsum_plan(text(equation, "equation"), shapes, isinstance(optimize, str) and optimize == "optimal")
    operands = []
    for tensor, (shape, own, left) in zip(tensors, plan.operands):
        if shape != tensor._array.shape:
            tensor = reshape(tensor, shape)
        if own != left:
            tensor = apply(_einsum_reduce, tensor, x_labels=own, labels=left)
        operands.append(tensor)
    for i, j, a_labels, b_labels, labels in plan.products:
        b, a = operands.pop(j), operands.pop(i)
        operands.append(apply(_contract, a, b, a_labels=a_labels, b_labels=b_labels, labels=labels))
    return operands[0]


class EinsumPlan(Data):
    """The steps of an equation for operands of given shapes."""

    operands: list[tuple[tuple[int, ...], Labels, Labels]]  # shape without broadcast axes, labels, labels kept
    products: list[tuple[int, int, Labels, Labels, Labels]]  # which two (i < j), their labels and those of the product


@functools.lru_cache(maxsize=512)
def _einsum_plan(equation: str, shapes: tuple[tuple[int, ...], ...], optimal: bool) -> EinsumPlan:
    subscripts, output = _parse_equation(equation)
    if len(shapes) != len(subscripts):
        raise OpValueError(EquationCount(equation=equation, given=len(shapes), named=len(subscripts)))
    if len(shapes) > 2:
        _check_ranks(equation, shapes, subscripts)
    kept_shapes, labels, result = _label_axes(equation, shapes, subscripts, output)
    operands = []
    for i, (shape, own) in enumerate(zip(kept_shapes, labels)):
        needed = set(result).union(*labels[:i], *labels[i + 1 :])
        left = tuple([label for label in dict.fromkeys(own) if label in needed])
        operands.append((shape, own, result if len(shapes) == 1 else left))
    sizes = {label: size for shape, own, _ in operands for label, size in zip(own, shape)}
    remaining = [left for _, _, left in operands]
    products = []
    for i, j in _contraction_order(remaining, sizes, result, optimal):
        b_labels, a_labels = remaining.pop(j), remaining.pop(i)
        needed = set(result).union(*remaining)
        product = tuple(dict.fromkeys([label for label in (*a_labels, *b_labels) if label in needed]))
        products.append((i, j, a_labels, b_labels, product if remaining else result))
        remaining.append(products[-1][-1])
    return EinsumPlan(operands, products)


def _parse_equation(equation: str) -> tuple[tuple[Labels, ...], Labels]:
    """The subscripts of each operand, and of the result."""
    text = equation.replace(" ", "")
    if not re.fullmatch(_EQUATION, text):
        raise OpValueError(f"Subscripts have incorrect format: {equation}")
    before, arrow, after = text.partition("->")
    subscripts = tuple([_subscripts(each) for each in before.split(",")])
    if arrow:
        output = _subscripts(after)
    else:
        labels = [label for own in subscripts for label in own]  # an ellipsis counts as a label, and comes first
        output = tuple(sorted(label for label in set(labels) if labels.count(label) == 1))
    if len(set(output)) != len(output):
        raise OpValueError(f"Output subscripts contain a label appearing more than once: {equation}")
    for label in output:
        if label != _ELLIPSIS and not any(label in own for own in subscripts):
            raise OpValueError(f"Output subscripts contain the label {chr(label)} not present in the input subscripts.")
    for own in subscripts:
        if own.count(_ELLIPSIS) > 1:
            raise invalid(f"Subscripts may hold at most one ellipsis (...): {equation} [Op:Einsum]")
    return subscripts, output


def _subscripts(text: str) -> Labels:
    return tuple([_ELLIPSIS if part == "..." else ord(part) for part in re.findall(r"\.\.\.|[a-zA-Z]", text)])


def _same_dtype_operands(values: Sequence[Any]) -> list[Tensor]:
    """Convert all operands to Tensors of one dtype: other values take that of the first tensor."""
    if all(type(v) is Tensor for v in values) and len({v._array.dtype for v in values}) == 1:
        return list(values)
    known = next((v.dtype for v in values if type(getattr(v, "dtype", None)) is dtypes.DType), None)
    tensors = []
    for value in values:
        own = type(getattr(value, "dtype", None)) is dtypes.DType
        tensors.append(convert(value, None if own else known))
        known = known or tensors[0].dtype
        check_same_dtype(tensors[0], tensors[-1], "Einsum")
    return tensors


def _check_ranks(equation: str, shapes: Sequence[tuple[int, ...]], subscripts: Sequence[Labels]) -> None:
    """For three and more operands, TensorFlow checks the ranks first, and raises another class."""
    for i, (shape, own) in enumerate(zip(shapes, subscripts)):
        if _ELLIPSIS not in own and len(own) != len(shape):
            raise OpValueError(
                f"Number of named labels in input #{i} of equation {equation} must be equal to the number of dimensions in "
                f"shape {list(shape)}"
            )


def _label_axes(
    equation: str, shapes: Sequence[tuple[int, ...]], subscripts: Sequence[Labels], output: Labels
) -> tuple[list[tuple[int, ...]], list[Labels], Labels]:
    """The operands' shapes without broadcast axes of size 1, a label for each remaining axis, and the result's labels."""
    labels = []
    sizes: dict[int, int] = {}
    for i, (shape, own) in enumerate(zip(shapes, subscripts)):
        named = len(own) - (_ELLIPSIS in own)
        if len(shape) < named or (len(shape) > named and _ELLIPSIS not in own):
            wanted = f"at least {named}" if _ELLIPSIS in own else str(named)
            raise invalid(EquationRank(equation=equation, position=i, wanted=wanted, rank=len(shape), op="Einsum"))
        labels.append(_with_broadcast_axes(own, len(shape) - named))
        for axis, (label, size) in enumerate(zip(labels[-1], shape)):
            known = sizes.setdefault(label, size)
            if known == size or (label < 0 and size == 1):
                continue
            if label > 0:
                raise invalid(
                    EquationSize(equation=equation, wanted=known, axis=axis, shape=shape, size=size, op="Einsum")
                )
            if known != 1:
                raise invalid(BatchesDiffer(a=shapes[0], b=shapes[1], op="Einsum"))
            sizes[label] = size
    broadcast = -min([0, *sizes])
    if broadcast and _ELLIPSIS not in output:
        raise invalid(
            f"Output contains {broadcast} broadcasting dimension(s) but no ellipsis (...) was found in the output "
            "subscripts. [Op:Einsum]"
        )
    kept = [[axis for axis, size in enumerate(shape) if sizes[own[axis]] == size] for shape, own in zip(shapes, labels)]
    kept_shapes = [tuple([shape[axis] for axis in axes]) for shape, axes in zip(shapes, kept)]
    kept_labels = [tuple([own[axis] for axis in axes]) for own, axes in zip(labels, kept)]
    return kept_shapes, kept_labels, _with_broadcast_axes(output, broadcast)


def _with_broadcast_axes(subscripts: Labels, count: int) -> Labels:
    """Expand the ellipsis in subscripts to `count` axes, labelled from the last: -count, ..., -1."""
    if _ELLIPSIS not in subscripts:
        return subscripts
    at = subscripts.index(_ELLIPSIS)
    return (*subscripts[:at], *range(-count, 0), *subscripts[at + 1 :])


def _contraction_order(
    operands: list[Labels], sizes: dict[int, int], result: Labels, optimal: bool
) -> list[tuple[int, int]]:
    """The two operands to multiply at each step; the product is appended to the list."""
    if len(operands) < 3:
        return [(0, 1)] * (len(operands) - 1)
    numbers = {label: i for i, label in enumerate(dict.fromkeys(label for own in operands for label in own))}
    arguments: list[Any] = []
    for own in operands:
        shape = [sizes[label] for label in own]
        arguments += [np.broadcast_to(np.zeros(()), shape), [numbers[label] for label in own]]
    arguments.append([numbers[label] for label in result])
    path = np.einsum_path(*arguments, optimize=("optimal" if optimal else "greedy", 2**62))[0][1:]
    order: list[tuple[int, int]] = []
    count = len(operands)
    for group in path:
        first, *others = sorted(group, reverse=True)
        for other in others:  # a group of more than two is multiplied one by one
            order.append((other, first))
            count -= 1
            first = count - 1
    return order


@export("linalg.cross")
def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of vectors of three elements along the last axis.

    >>> import whygrad as tf
    >>> tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy()
    array([0., 0., 1.], dtype=float32)
    """
    a, b = convert_operands(a, b)
    check_same_dtype(a, b, "Cross")
    if a._array.dtype.kind not in "fViu":
        raise invalid(f"Value for attr 'T' of {a.dtype.cxx_name} is not in the list of allowed values [Op:Cross]")
    if a.shape != b.shape:
        raise invalid(f"Both inputs must be of same shape: {shape_text(a.shape)} vs. {shape_text(b.shape)} [Op:Cross]")
    if a.ndim < 1:
        raise invalid(f"Input must be at least 1D {shape_text(a.shape)} [Op:Cross]")
    if a.shape[-1] != 3:
        raise FailedPreconditionError(
            None, None, f"Cross-products are only defined for 3-element vectors. {shape_text(a.shape)} [Op:Cross]"
        )
    return apply(_cross, a, b)


_cross = Primitive(
    "cross_product",
    lambda xp, a, b: xp.cross_product(a, b),
    vjp=(lambda xp, g, b: xp.cross_product(b, g), lambda xp, g, a: xp.cross_product(g, a)),
    op_name="Cross",
    traits=Traits(batching=Batching.VECTORS),
)
