"""`singular-matrix`: a matrix that cannot be inverted or factorized."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Invertible, Logarithm
from whygrad.values.faults import NotDecomposed, NotPositiveDefinite, Singular
from whygrad.values.tensor import Tensor
from whygrad.why.cause import Cause
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.nonfinite_question import NonfiniteQuestion, operand
from whygrad.why.evidence.numerics import Birth, array_of, is_finite
from whygrad.why.evidence.question import Question
from whygrad.why.evidence.trace import current
from whygrad.why.source.edits import Edit, Repair, in_place, with_operand
from whygrad.why.source.safe_forms import on_the_diagonal
from whygrad.why.source.sites import Site, node_at, operand_nodes, site
from whygrad.why.source.wording import described, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def forward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the op needs an invertible matrix, or is the logarithm of a determinant."""
    record = birth.record if birth.record.traits.domain_as(Invertible) is not None else _determinant(q, birth)
    if record is None:
        return None
    return _determinant_beyond_range(q, birth, record) or _singular(q, birth, record)


def backward(q: NonfiniteQuestion, birth: Birth) -> Cause | None:
    """The cause, if the rule needs the inverse of the matrix."""
    return None if birth.record.traits.domain_as(Invertible) is None else _singular(q, birth, birth.record)


def _determinant(q: NonfiniteQuestion, birth: Birth) -> Record | None:
    """The op that made the determinant 0 of which a logarithm is taken."""
    domain = birth.record.traits.domain_as(Logarithm)
    if domain is None or not (birth.arrays[domain.of] == domain.zero).any():
        return None
    maker = q.numerics.made(birth.record.inputs[domain.of])
    needs = None if maker is None else maker.record.traits.domain_as(Invertible)
    return maker.record if maker is not None and needs is not None and needs.vanishes else None


def _determinant_beyond_range(q: NonfiniteQuestion, birth: Birth, record: Record) -> Cause | None:
    """The cause, if a matrix is regular and only its determinant, a product of as many numbers as it has rows, leaves the range."""
    made = q.numerics.made(outputs_of(record)[0])
    domain = record.traits.domain_as(Invertible) or Invertible()
    if made is None or not domain.vanishes or made.output.dtype.kind != "f":
        return None
    lost = (made.output == 0) | np.isinf(made.output)
    matrices = made.inputs[0][lost].astype(np.float64)
    if (
        not len(matrices)
        or not np.isfinite(matrices).all()
        or not all(_is_regular(x, made.inputs[0].dtype) for x in matrices)
    ):
        return None
    exponent = float(np.linalg.slogdet(matrices[0])[1]) / np.log(10.0)
    name = quoted(operand(record))
    what = f"the determinant of {name}, about 1e{exponent:+.0f}, is"
    logarithm, edits = _logarithm_of_determinant(birth.record, record)
    repair = Repair(f"take the logarithm without the determinant: {logarithm}", edits)
    if made.output[lost].any():
        return q.cause("overflow", f"{what} beyond the range of {made.output.dtype.name}", birth, repair)
    return q.cause("log-of-zero", f"{what} too small for {made.output.dtype.name} and becomes 0", birth, repair)


def _is_regular(matrix: Any, dtype: Any) -> bool:
    values = np.linalg.svd(matrix, compute_uv=False)
    return bool(values[-1] > len(values) * np.finfo(dtype).eps * values[0])


def _logarithm_of_determinant(logarithm: Record, determinant: Record) -> tuple[str, tuple[Edit, ...]]:
    """The logarithm of a determinant in one function, and the edit that writes it where the program writes both."""
    node = node_at(determinant.code, determinant.instruction)
    function = node.func if isinstance(node, ast.Call) else None
    module = ast.unparse(function.value) if isinstance(function, ast.Attribute) else "tf.linalg"
    text = f"{module}.slogdet({operand(determinant)})[1]"
    outer = operand_nodes(node_at(logarithm.code, logarithm.instruction))
    both = node is not None and bool(outer) and outer[0] is node
    return text, in_place(logarithm.code, logarithm.instruction, text) if both else ()


def _singular(q: NonfiniteQuestion, birth: Birth, record: Record) -> Cause:
    made = q.numerics.made(outputs_of(record)[0])
    domain = record.traits.domain_as(Invertible) or Invertible()
    array = None if made is None else made.inputs[0]
    # A matrix made inside of a function, as that of the normal equations of lstsq, is not written in the program.
    inside = q.is_computed_inside(record, 0)
    name = (
        f"the matrix inside of {spoken(record)}"
        if inside
        else f"the matrix {quoted(operand(record))} given to {spoken(record)}"
    )
    return q.cause(
        "singular-matrix",
        f"{name} {_state(array, domain.definite)}",
        birth,
        _repair(record, array, domain.definite, inside),
    )


def in_rule(record: Record, asked: Site) -> Cause:
    """The cause of an exception of a rule that needs the inverse of its op's matrix."""
    array = next((array_of(kept) for kept in record.kept or () if _is_first_input(kept, record)), None)
    definite = (record.traits.domain_as(Invertible) or Invertible()).definite
    name = operand(record)
    repair = _repair(record, array, definite, False)
    return Cause(
        "singular-matrix",
        "exception",
        f"the gradient of {spoken(record)} needs the inverse of {quoted(name)}, which {_state(array, definite)}",
        (site(record.code, record.instruction, "computed here", described(record.inputs[0])), asked),
        repair.help,
        {name: described(record.inputs[0])},
        edits=repair.edits,
    )


_LARGEST = 512  # rows of a matrix that is looked at, where nothing has failed


def passed(question: Question, trace: Trace) -> Iterator[Cause]:
    """The cause, if an op took a matrix that is singular but for rounding: it did not fail, and what it gives is made of rounding errors."""
    evidence, asked = question.evidence, question.call_site.site
    records = [r for r in evidence.records if r.kept is not None and r.traits.domain_as(Invertible) is not None]
    towards = evidence.tape_history.towards(evidence.differentiated_targets) if records else {}
    for record in records:
        domain = record.traits.domain_as(Invertible) or Invertible()
        made = trace.numerics.made(outputs_of(record)[0]) if outputs_of(record)[0] in towards else None
        if domain.vanishes or made is None or not _is_singular_exactly(made.inputs[0], domain.definite):
            continue
        name = operand(record)
        repair = _repair(record, made.inputs[0], domain.definite, False)
        yield Cause(
            "singular-matrix",
            "wrong_value",
            f"the matrix {quoted(name)} {_state(made.inputs[0], domain.definite)}. {spoken(record)} takes it only because of rounding, and its "
            "result and gradient are made of rounding errors",
            (site(record.code, record.instruction, "computed here", described(record.inputs[0])), asked),
            repair.help,
            {name: described(record.inputs[0])},
            likely=True,
            edits=repair.edits,
        )
        return


def _is_singular_exactly(array: Any, definite: bool) -> bool:
    """Whether a matrix has no inverse, taken as the numbers that it holds."""
    if (
        array.ndim < 2
        or array.shape[-1] != array.shape[-2]
        or not 1 < array.shape[-1] <= _LARGEST
        or array.dtype.kind != "f"
    ):
        return False
    worst = _worst(array, definite)
    if worst is None:
        return False
    values = np.linalg.svd(worst, compute_uv=False)
    limit = 4 * np.finfo(np.float64).eps if array.dtype.itemsize == 8 else 1e-3 * np.finfo(array.dtype).eps
    return bool(values[-1] <= limit * values[0]) or (not definite and _lacks_rank(values, array.dtype))


_GAP = 1e4


def _lacks_rank(values: Any, dtype: Any) -> bool:
    """Whether the last of the singular values are rounding errors, with a wide gap before them: a product of fewer rows, most likely."""
    rounding = len(values) * np.finfo(dtype).eps * values[0]
    rank = int((values > rounding).sum())
    return 0 < rank < len(values) and bool(values[rank - 1] > _GAP * values[rank])


def _is_first_input(kept: Any, record: Record) -> bool:
    return isinstance(kept, Tensor) and kept._key is record.inputs[0]


@explains(Singular)
def _not_invertible(op: FailedOp, fault: Singular) -> Explanation | None:
    matrix = next((each for each in op.in_order if len(each.shape) >= 2), None)
    if matrix is None:
        return Explanation("singular-matrix", "", "add a small multiple of the identity to the diagonal")
    array, definite = array_of(matrix.value), isinstance(fault, NotPositiveDefinite)
    help, template = _help(matrix.text, array, definite, False)
    edits = op.with_operand(matrix, template) if template else ()
    return Explanation("singular-matrix", f"{matrix.quoted} {_state(array, definite)}", help, matrix, edits)


@explains(NotDecomposed)
def _not_decomposed(op: FailedOp, fault: NotDecomposed) -> Explanation | None:
    matrix = next((each for each in op.in_order if len(each.shape) >= 2), None)
    array = None if matrix is None else array_of(matrix.value)
    if matrix is None or array is None or is_finite(array):
        return None
    bad = int((~np.isfinite(array)).sum())
    trace, key = current(), getattr(matrix.value, "_key", None)
    birth = None if trace is None or key is None else trace.numerics.births.get(key)
    origin = None if birth is None else birth.infinite or birth
    where = "" if origin is None else f", from {spoken(origin.record)} on"
    return Explanation(
        "not-finite-here",
        f"{matrix.quoted} is not finite at {bad} of {array.size} elements{where}",
        f"look for the first inf or nan on the way to {matrix.quoted}: a division by 0, or a root or a logarithm at 0",
        matrix,
        born=None if origin is None else site(origin.record.code, origin.record.instruction, "born here"),
    )


# -- what is wrong with the matrix, and what mends it --


def _state(array: Any, definite: bool) -> str:
    """What is known of a matrix, or of the worst one of a batch."""
    worst = None if array is None else _worst(array, definite)
    if worst is None:
        return "is singular or not positive definite" if definite else "is singular"
    if definite:
        smallest = float(np.linalg.eigvalsh(worst)[0])
        if smallest < -1e-6 * float(np.abs(worst).max()):
            return f"is not positive definite: its smallest eigenvalue is {smallest:.3g}"
        return "is singular: its smallest eigenvalue is 0 up to rounding"
    rank, size = int(np.linalg.matrix_rank(worst.astype(array.dtype))), min(worst.shape)
    return f"is singular: its rank is {rank}, not {size}" if rank < size else "is almost singular"


def _repair(record: Record, array: Any, definite: bool, inside: bool) -> Repair:
    """What to write for the matrix that an op was given."""
    help, template = _help(operand(record), array, definite, inside)
    code = with_operand(record.code, record.instruction, 0, template) if template else None
    return Repair(help, () if code is None else code.edits)


def _help(name: str, array: Any, definite: bool, inside: bool) -> tuple[str, str]:
    """What makes the matrix regular, and a template for it with a number that is large enough for this one; "" for no template."""
    if inside:
        return (
            "make the columns independent, or add a small multiple of the identity: pass l2_regularizer=1e-6 to tf.linalg.lstsq",
            "",
        )
    if array is None or array.ndim < 2:
        return "add a small multiple of the identity to the diagonal: matrix + 1e-6 * tf.eye(n)", ""
    if array.shape[-1] != array.shape[-2]:
        return f"make the columns of {quoted(name)} independent: leave out those that are sums of others", ""
    worst = _worst(array, definite)
    amount = None if worst is None else _amount(worst, array.dtype, definite)
    if amount is None:
        return (
            f"make {quoted(name)} positive definite: a product such as tf.matmul(a, a, transpose_b=True), with a small multiple of "
            "the identity added to its diagonal",
            "",
        )
    shown, template = [on_the_diagonal(each, array.shape[-1], amount, array.dtype.name) for each in (name, "{0}")]
    return f"add a small multiple of the identity to the diagonal: {shown}", template


def _worst(array: Any, definite: bool) -> Any:
    """The matrix of a batch that is nearest to singular, in float64 (of a definite one the triangle that is read); None if unknown."""
    if array.ndim < 2 or not array.size or array.dtype.kind not in "fV" or not np.isfinite(array).all():
        return None
    matrices = array.reshape(-1, *array.shape[-2:]).astype(np.float64)
    if definite and array.shape[-1] == array.shape[-2]:
        matrices = np.tril(matrices) + np.swapaxes(np.tril(matrices, -1), -1, -2)
        return matrices[int(np.argmin([np.linalg.eigvalsh(each)[0] for each in matrices]))]
    return matrices[int(np.argmin([np.linalg.svd(each, compute_uv=False)[-1] for each in matrices]))]


def _amount(matrix: Any, dtype: Any, definite: bool) -> str | None:
    """A number, small beside the matrix, that makes it regular when it is added to the diagonal; None if only a large one does."""
    scale = float(np.abs(matrix).max()) or 1.0
    size = max(1.0, 10.0 ** np.floor(np.log10(scale)))
    for exponent in (-6, -5, -4, -3):
        amount = size * 10.0**exponent
        values = np.linalg.eigvalsh(matrix + amount * np.eye(len(matrix))) if definite else None
        if values is None:
            values = np.linalg.svd(matrix + amount * np.eye(len(matrix)), compute_uv=False)[::-1]
        precision = np.finfo(dtype if dtype.kind == "f" else np.float32).eps
        if values[0] > 4 * len(matrix) * precision * values[-1]:
            return f"{amount:.0e}".replace("e+00", ".0").replace("e-0", "e-").replace("e+0", "e")
    return None
