"""Why a gradient is inf or nan: where it was born, in the forward pass, in a rule of the backward pass, or in the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.conversion import convert
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.history import History
from whygrad.why.numerics import Birth
from whygrad.why.source import operand_names, site
from whygrad.why.words import described, gradient_names, quoted

if TYPE_CHECKING:
    from whygrad.why.trace import Trace

MATRIX_OPS = (
    "matrix_cholesky", "matrix_inverse", "matrix_solve", "triangular_solve", "tridiagonal_solve", "log_determinant",
    "matrix_determinant", "matrix_logarithm", "matrix_square_root", "matrix_pinv",
)  # fmt: skip
GROWING_OPS = ("square", "multiply", "power", "matmul", "contract", "reduce_sum", "add", "subtract", "exp")


def explain(call: GradientCall, trace: Trace) -> Cause | None:
    """The cause, if some gradient is not finite; the first one of a program, since everything after it is poisoned."""
    if any(cause.symptom == "nonfinite" for cause in trace.findings):
        return None
    position = next((i for i, g in enumerate(call.gradients) if g is not None and not _is_finite(g)), None)
    if position is None:
        return None
    return _Question(call, position, trace).answer()


def _is_finite(gradient: Any) -> bool:
    return bool(np.isfinite(convert(gradient, None)._array).all())


class _Question:
    def __init__(self, call: GradientCall, position: int, trace: Trace) -> None:
        self.call, self.trace = call, trace
        targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
        self.target_name = targets[0] if len(targets) == 1 else "the target"
        self.opening = (
            f"the gradient of {quoted(self.target_name)} with respect to {quoted(sources[position])} is not finite"
        )
        self.asked = site(call.code, call.instruction, "asked here")
        self.history = History(call.tape.records, call.tape.events)
        self.target_keys = [key for key in (call.key_of(t) for t in call.targets) if key is not None]

    def answer(self) -> Cause | None:
        numerics = self.trace.numerics
        for key in self.target_keys:
            if key in numerics.births:
                return self.forward(numerics.births[key])
        if numerics.backward:
            return self.backward(numerics.backward[0])
        return None

    def cause(self, kind: str, sentence: str, birth: Birth, help: str, likely: bool = False) -> Cause:
        place = site(birth.record.code, birth.record.instruction, "born here", f"{birth.bad} of {birth.total} elements")
        return Cause(
            kind,
            "nonfinite",
            f"{self.opening}: {sentence}",
            (place, self.asked),
            help,
            {"here": described(birth.key)},
            likely,
        )

    # -- born in the forward pass, and still there in the target --

    def forward(self, birth: Birth) -> Cause:
        if birth.where == "data":
            return self.cause(
                "nan-in-data",
                f"the data hold {birth.bad} values of {birth.total} that are not finite, before anything is computed",
                birth,
                "clean the data first: drop or fill in what is missing (np.isfinite finds it)",
            )
        if birth.infinite is not None:
            return self.from_infinity(birth, birth.infinite)
        record, name = birth.record, birth.record.plan.primitive.name
        operand = _operand(record)
        if birth.key.dtype == np.float16:
            return self.cause(
                "half-precision-range",
                f"{name} leaves the range of float16 (65504)",
                birth,
                "compute this part in float32: tf.cast(..., tf.float32), or scale the loss",
            )
        special = _FORWARD.get(name)
        if special is not None:
            return self.cause(*special(birth, operand))
        if name in MATRIX_OPS:
            return self.cause(
                "singular-matrix",
                f"the matrix {quoted(operand)} given to {name} cannot be inverted or is not positive definite",
                birth,
                "add a small multiple of the identity to the diagonal: matrix + 1e-6 * tf.eye(n)",
            )
        if name in GROWING_OPS:
            return self.diverged(birth)
        return self.cause(
            "not-finite-here",
            f"{name} made inf or nan of finite values",
            birth,
            f"look at the values of {quoted(operand)} here",
        )

    def from_infinity(self, birth: Birth, infinite: Birth) -> Cause:
        name = birth.record.plan.primitive.name
        if infinite.where == "data" and "softmax" in name:
            return self.cause(
                "fully-masked-softmax",
                "a row of the softmax is -inf in every position, and its softmax is 0/0",
                birth,
                "leave at least one position of each row unmasked, or mask with a large negative number such as -1e9",
            )
        if infinite.where == "data":
            return self.cause(
                "nan-in-data", f"the data hold inf, and {name} makes nan of it", infinite, "clean the data first"
            )
        return self.forward(infinite)

    def diverged(self, birth: Birth) -> Cause:
        """Finite values grew beyond all bounds: training that diverges."""
        for record in reversed(self.call.tape.records):
            if record.plan.primitive.name == "reduce_sum" and record.inputs[0].shape and not _shape_of(record.output):
                place = site(record.code, record.instruction, "summed here", described(record.inputs[0]))
                return Cause(
                    "loss-scales-with-batch",
                    "nonfinite",
                    f"{self.opening}: the values grew beyond the range of {birth.key.dtype.name}; the loss is a sum over "
                    f"{int(np.prod(record.inputs[0].shape))} elements, so the step grows with the batch",
                    (place, self.asked),
                    "use tf.reduce_mean in place of tf.reduce_sum, or a learning rate divided by the batch size",
                    likely=True,
                )
        return self.cause(
            "diverged",
            f"{birth.record.plan.primitive.name} leaves the range of {birth.key.dtype.name}: the values have grown too large",
            birth,
            "lower the learning rate, or clip the gradients (tf.clip_by_global_norm)",
            likely=True,
        )

    # -- born in a rule --

    def backward(self, birth: Birth) -> Cause:
        record, name = birth.record, birth.record.plan.primitive.name
        births = self.trace.numerics.births
        operand = _operand(record)
        outputs = record.output if isinstance(record.output, tuple) else (record.output,)
        hidden = next((births[key] for key in (*outputs, *record.inputs) if key in births), None)
        selected = self.selecting_after(outputs)
        if selected is not None:
            place = site(birth.record.code, birth.record.instruction, "not finite here")
            where = site(selected.code, selected.instruction, "hidden here")
            return Cause(
                "where-nan-branch",
                "nonfinite",
                f"{self.opening}: tf.where hides an invalid value of {name} in the forward pass, but both of its branches are "
                "differentiated, and 0 times infinity is nan",
                (place, where, self.asked),
                f"make the argument safe inside as well: {name}(tf.where(condition, {operand}, 1.0))",
                {"here": described(birth.key)},
            )
        if hidden is not None:
            return self.forward(hidden)
        inputs = self.trace.numerics.inputs.get(outputs[0], ())
        at_zero = any(a.dtype.kind == "f" and (a == 0).any() for a in inputs)
        if at_zero and name in (
            "sqrt",
            "pow",
            "power",
            "norm",
            "reduce_euclidean_norm",
            "rsqrt",
            "acos",
            "asin",
            "atan2",
        ):
            return self.cause(
                "infinite-slope",
                f"{name} is evaluated at exactly 0, where its slope is infinite",
                birth,
                f"keep away from 0: add a small constant inside, such as {name}({operand} + 1e-12)",
            )
        if name in ("asin", "acos"):
            return self.cause(
                "infinite-slope", f"{name} has infinite slope at -1 and 1", birth, "clip the argument inside (-1, 1)"
            )
        return self.cause(
            "not-finite-here",
            f"the rule of {name} gave inf or nan",
            birth,
            f"look at the values of {quoted(operand)} here",
        )

    def selecting_after(self, outputs: tuple[Key, ...]) -> Record | None:
        """A `where` that was applied to what these values became, before they reached a finite target."""
        for key in self.history.descendants(outputs):
            maker = self.history.made_by.get(key)
            if isinstance(maker, Record) and maker.plan.primitive.name == "where":
                return maker
        return None


def _operand(record: Record) -> str:
    names = operand_names(record.code, record.instruction)
    return (
        names[-1]
        if record.plan.primitive.name in ("divide", "solve") and len(names) > 1
        else names[0]
        if names
        else "x"
    )


def _shape_of(output: Any) -> tuple[int, ...]:
    return output.shape if isinstance(output, Key) else ()


def _log(birth: Birth, operand: str) -> tuple[Any, ...]:
    x = birth.arrays[0]
    if (x == 0).any():
        return (
            "log-of-zero",
            f"the logarithm is taken of {quoted(operand)}, which is exactly 0 at {int((x == 0).sum())} of {x.size} elements",
            birth,
            f"add a small constant, tf.math.log({operand} + 1e-7), or use a loss that works on logits",
        )
    return (
        "log-of-negative",
        f"the logarithm is taken of negative values of {quoted(operand)}",
        birth,
        "keep it positive",
    )


def _divide(birth: Birth, operand: str) -> tuple[Any, ...]:
    a, b = birth.arrays
    both = np.logical_and(np.broadcast_to(a, np.broadcast_shapes(a.shape, b.shape)) == 0, b == 0)
    if both.any():
        return (
            "zero-divided-by-zero",
            f"0 is divided by 0 at {int(both.sum())} of {both.size} elements",
            birth,
            f"use tf.math.divide_no_nan, or add a small constant to {quoted(operand)}",
        )
    return (
        "division-by-zero",
        f"{quoted(operand)} is 0 at {int((b == 0).sum())} of {b.size} elements",
        birth,
        f"use tf.math.divide_no_nan, or add a small constant to {quoted(operand)}",
    )


def _exp(birth: Birth, operand: str) -> tuple[Any, ...]:
    return (
        "exp-overflow",
        f"exp of {float(np.max(birth.arrays[0])):.4g} is beyond the range of {birth.key.dtype.name}",
        birth,
        "use a stable form: tf.sigmoid, tf.nn.softplus, tf.nn.softmax, tf.reduce_logsumexp, or subtract the maximum first",
    )


def _sqrt(birth: Birth, operand: str) -> tuple[Any, ...]:
    return ("root-of-negative", f"the root is taken of negative values of {quoted(operand)}", birth, "keep it positive")


_FORWARD: dict[str, Callable[[Birth, str], tuple[Any, ...]]] = {
    "log": _log,
    "log1p": _log,
    "divide": _divide,
    "exp": _exp,
    "expm1": _exp,
    "sinh": _exp,
    "cosh": _exp,
    "sqrt": _sqrt,
    "rsqrt": _sqrt,
}
