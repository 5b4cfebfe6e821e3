"""Why a gradient is inf or nan: where it was born, in the forward pass, in a rule of the backward pass, or in the data."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from types import CodeType
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.evidence.history import History, outputs_of
from whygrad.why.evidence.numerics import Birth, Seen, array_of, in_double, is_finite
from whygrad.why.source import syntax
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import Site, node_at, operand_names, site
from whygrad.why.source.wording import described, listed, quoted, spoken

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

MATRIX_OPS = (
    "matrix_cholesky", "matrix_inverse", "matrix_solve", "triangular_solve", "tridiagonal_solve", "log_determinant",
    "matrix_determinant", "matrix_logarithm", "matrix_square_root", "matrix_pinv", "matrix_lu", "matrix_qr",
)  # fmt: skip
MATRIX_PRODUCTS = ("matmul", "transposed_matmul")
PRODUCTS = ("multiply", "contract", *MATRIX_PRODUCTS)
ROOTS = ("sqrt", "rsqrt", "power", "reduce_euclidean_norm", "complex_abs")
SOFTMAXES = (
    "softmax", "log_softmax", "reduce_logsumexp", "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits",
)  # fmt: skip
BOUNDED_DOMAIN = ("acos", "asin", "acosh", "atanh", "erfinv", "ndtri", "lgamma", "digamma", "zeta", "polygamma", "tan")
# Ops through which a value passes element by element, so that an element of the output is the same element of the input.
_QUOTIENTS = ("divide", "reciprocal", "rsqrt", "power", "xdivy")


def explain(call: GradientCall, trace: Trace) -> Cause | None:
    """The cause, if some gradient is not finite; the first one of a program, since everything after it is poisoned."""
    place = (call.code, call.instruction)
    arrays = [None if g is None else array_of(g) for g in call.gradients]
    position = next((i for i, array in enumerate(arrays) if array is not None and not is_finite(array)), None)
    if position is None and trace.skipped.get(place) in trace.findings:
        trace.withdraw(trace.skipped[place])  # the step was not taken: as with a loss that is scaled until it overflows
        trace.numerics.settled = False
    if trace.numerics.settled or place in trace.skipped:
        return None
    if position is None:
        if all(array is None or not array.any() for array in arrays):
            return None  # a zero or a None, explained as such
        if all(is_finite(array_of(target)) for target in call.targets):
            return None
    cause = Question(call, position, trace).answer()
    if cause is not None:
        trace.numerics.settled = True
        if position is not None and _is_looked_for(call):
            trace.skipped[place] = cause
    return cause


def _is_looked_for(call: GradientCall) -> bool:
    """Whether the program looks for inf and nan among these gradients."""
    asked = node_at(call.code, call.instruction)
    reached = set() if asked is None else syntax.Flow([call.code.co_filename]).reached_from(asked)
    return any(
        isinstance(syntax.parent(node), ast.Call) and syntax.called_name(syntax.parent(node)) in _LOOK
        for node in reached
    )


_LOOK = ("is_finite", "isfinite", "is_nan", "isnan", "is_inf", "isinf")


def cause_of(call: GradientCall, position: int, seen: Seen) -> Cause | None:
    """The cause of one gradient that is not finite."""
    return Question(call, position, seen).answer()


def forward_cause(call: GradientCall, birth: Birth, trace: Seen, opening: str, symptom: str) -> Cause:
    """The cause of an inf or nan that is in the forward pass, for a gradient that shows it in another way."""
    question = Question(call, None, trace)
    question.opening, question.symptom = opening, symptom
    return question.forward(birth)


class Question:
    """One gradient that is not finite, and all that is known around it."""

    def __init__(self, call: GradientCall, position: int | None, trace: Seen) -> None:
        self.call, self.trace, self.numerics = call, trace, trace.numerics
        targets, sources = names_of(call)
        self.target_name = targets[0] if len(targets) == 1 else "the target"
        self.opening = f"{quoted(self.target_name)} is not finite"
        if position is not None:
            of = f"the gradient of {quoted(self.target_name)} with respect to {quoted(sources[position])}"
            self.opening = f"{of} is not finite"
        self.symptom = "nonfinite"
        self.asked: tuple[Site, ...] = (site(call.code, call.instruction, "asked here"),)
        self.history = History(call.tape.records, call.tape.events)
        self.target_keys = [key for key in (call.key_of(t) for t in call.targets) if key is not None]

    def answer(self) -> Cause | None:
        """The cause: what the target itself shows comes before what only the sweep made."""
        for key in self.target_keys:
            if key in self.numerics.births:
                return self.forward(self.numerics.births[key])
        for birth in self.numerics.backward:
            if any(key in self.history.made_by for key in outputs_of(birth.record)):
                return self.backward(birth)
        return None

    def cause(self, kind: str, sentence: str, birth: Birth, help: str, *more: Site, likely: bool = False) -> Cause:
        """A cause with the op of a birth as its place."""
        record = birth.record
        role = "first used here" if birth.where == "data" else "born here"
        place = site(record.code, record.instruction, role, _count(birth))
        given = [self._given_to_the_call(record, key) for key in record.inputs]
        shapes = {name: described(key) for name, key in zip(operand_names(record.code, record.instruction), given)}
        shapes = shapes if len(shapes) == len(record.inputs) else {"here": described(birth.key)}
        return Cause(
            kind, self.symptom, f"{self.opening}: {sentence}", (place, *more, *self.asked), help, shapes, likely
        )

    def _given_to_the_call(self, record: Record, key: Key) -> Key:
        """The operand behind an op's input: a call such as tf.norm computes in several ops, and names only what it is given."""
        node = node_at(record.code, record.instruction)
        if not isinstance(node, ast.Call) or syntax.called_name(node) == record.plan.primitive.name:
            return key
        maker = self.history.made_by.get(key)
        while isinstance(maker, Record) and (maker.code, maker.instruction) == (record.code, record.instruction):
            key = maker.inputs[0]
            maker = self.history.made_by.get(key)
        return key

    def came_in_at(self, key: Key) -> tuple[CodeType, int] | None:
        """Where data became a tensor."""
        return self.trace.made_at(key)

    def times_asked(self) -> int:
        """How often this gradient was asked for."""
        return self.trace.times_asked(self.call)

    # -- born in the forward pass, and still there in the target --

    def forward(self, birth: Birth) -> Cause:
        """The cause of an inf or nan that an op made, or that was in the data."""
        if birth.where == "data":
            return self.in_the_data(birth)
        if birth.infinite is not None:
            return self.from_infinity(birth, birth.infinite)
        narrow = self.too_narrow(birth)
        if narrow is not None:
            return narrow
        lost = self.divided_by_infinity(birth)
        if lost is not None:
            return self.forward(lost)
        name = birth.record.plan.primitive.name
        special = _FORWARD.get(name)
        found = None if special is None else special(self, birth)
        if found is not None:
            return found
        operand = _operand(birth.record)
        if name in MATRIX_OPS:
            return self.singular(birth)
        if name in BOUNDED_DOMAIN:
            return self.cause(
                "outside-domain",
                f"{spoken(birth.record)} is not defined for {_values(birth.arrays[0][~np.isfinite(birth.made)])}",
                birth,
                f"keep {quoted(operand)} inside the domain, for instance with tf.clip_by_value",
            )
        if _is_finite_in_double(birth):
            return self.too_large(birth)
        return self.cause(
            "not-finite-here",
            f"{spoken(birth.record)} made inf or nan of finite values{_given(birth)}",
            birth,
            f"look at the values of {quoted(operand)} here",
        )

    def in_the_data(self, birth: Birth) -> Cause:
        """What came in was not finite."""
        (data,) = birth.arrays
        made = self.came_in_at(birth.key)
        origin = [] if made is None else [site(*made, "came in here", described(birth.key))]
        if data.dtype == np.float16 and not np.isnan(data).any() and origin:
            place = origin[0]
            return Cause(
                "half-precision-range",
                self.symptom,
                f"{self.opening}: {birth.bad} of {birth.total} values lie beyond the range of float16 (65504)",
                (place, site(birth.record.code, birth.record.instruction, "used here"), *self.asked),
                "keep these values in float32, or scale them down first",
                {"here": described(birth.key)},
            )
        what = "nan" if np.isnan(data).any() else "inf"
        return self.cause(
            "nan-in-data",
            f"the data hold {what}, {_count(birth)}, before anything is computed",
            birth,
            "clean the data first: drop the rows or fill in what is missing (np.isfinite finds it)",
            *origin,
        )

    def help_with_divisor(self, record: Record) -> str:
        """What to write for a quotient whose divisor is 0."""
        operand = _operand(record)
        maker = self.numerics.made(record.inputs[-1])
        if maker is not None and maker.record.plan.primitive.name in ("sqrt", "reduce_euclidean_norm"):
            inside = _with_epsilon(maker.record, _operand(maker.record))
            return f"add a small constant inside of the root, which has no slope at 0 either: {inside}"
        return f"use tf.math.divide_no_nan, or add a small constant to {quoted(operand)}"

    def from_infinity(self, birth: Birth, infinite: Birth) -> Cause:
        """An op made nan of inf: of the inf as it came, or where that was made."""
        name = birth.record.plan.primitive.name
        if self.is_masked_row(birth):
            return self.fully_masked(birth)
        if name in PRODUCTS and infinite.where == "forward":
            source = infinite.record.plan.primitive.name
            if source in _QUOTIENTS and not self.too_narrow(infinite):
                return self.cause(
                    "zero-divided-by-zero",
                    f"the divisor {quoted(_operand(infinite.record))} is 0, and the infinite quotient is multiplied by 0",
                    infinite,
                    self.help_with_divisor(infinite.record),
                    site(birth.record.code, birth.record.instruction, "multiplied by 0 here"),
                )
        if infinite.where == "data" and infinite.total == 1 and name == "multiply":
            return self.cause(
                "zero-times-infinity",
                f"0 is multiplied by {float(infinite.arrays[0].reshape(-1)[0])}, which is nan",
                birth,
                "use a large finite number such as -1e9 in place of -inf, or tf.where in place of a product",
            )
        return self.forward(infinite)

    def too_narrow(self, birth: Birth) -> Cause | None:
        """The range of float16 was left here, or before: upwards to inf, or downwards to a 0 that has no logarithm."""
        if birth.key.dtype.itemsize != 2 or birth.key.dtype.kind != "f":
            return None
        help = (
            "compute this part in float32: tf.cast(..., tf.float32), or scale the values (and the loss) into the range"
        )
        if _is_finite_in_double(birth):
            return self.cause(
                "half-precision-range", f"{spoken(birth.record)} leaves the range of float16 (65504)", birth, help
            )
        for key, array in zip(birth.record.inputs, birth.arrays):
            made = self.first_underflow(key)
            if made is not None and not array.all():
                lost = Birth(
                    "forward",
                    made.record,
                    int((made.output == 0).sum()),
                    made.output.size,
                    made.inputs,
                    made.output,
                    key,
                )
                return self.cause(
                    "half-precision-range",
                    f"{spoken(made.record)} gives values too small for float16 (below 6e-8), which become 0",
                    lost,
                    help,
                    site(birth.record.code, birth.record.instruction, "not finite here"),
                )
        return None

    def first_underflow(self, key: Key) -> Any:
        """The op on the way to a value, back through ops that only move elements, that rounded non-zero numbers to 0."""
        while (made := self.numerics.made(key)) is not None:
            wide = in_double(made)
            if isinstance(wide, np.ndarray | np.generic) and bool(((made.output == 0) & (wide != 0)).any()):
                return made
            if len(made.record.inputs) != 1:
                return None
            key = made.record.inputs[0]
        return None

    def divided_by_infinity(self, birth: Birth) -> Birth | None:
        """Where the inf came from that turned a quotient into the 0 an op refuses: the 0 is only what is left of it."""
        for key, array in zip(birth.record.inputs, birth.arrays):
            while not array.all() and (made := self.numerics.made(key)) is not None:
                if made.record.plan.primitive.name == "divide":
                    divisor = self.numerics.births.get(made.record.inputs[1])
                    zeros = np.broadcast_to(np.isinf(made.inputs[1]), made.output.shape)[made.output == 0]
                    if divisor is not None and divisor.where == "forward" and zeros.size and zeros.all():
                        return divisor
                    break
                if len(made.record.inputs) != 1:
                    break
                key = made.record.inputs[0]
        return None

    def is_masked_row(self, birth: Birth) -> bool:
        """Whether an op made nan of a row that is -inf in every position, as a softmax of it does."""
        name, arrays = birth.record.plan.primitive.name, birth.arrays
        if name in SOFTMAXES:
            return _has_masked_row(arrays[-1], birth.record.attributes.get("axis", -1))
        if name != "subtract":
            return False
        peak = arrays[1]  # a softmax by hand: the maximum of the row is -inf too
        maker = self.numerics.made(birth.record.inputs[1])
        return maker is not None and "max" in maker.record.plan.primitive.name and bool(np.isneginf(peak).any())

    def fully_masked(self, birth: Birth) -> Cause:
        """A softmax of nothing."""
        return self.cause(
            "fully-masked-softmax",
            "a row of the softmax is -inf in every position, so nothing is left to choose from, and its softmax is 0/0",
            birth,
            "leave at least one position of each row unmasked, or mask with a large negative number such as -1e9",
        )

    def singular(self, birth: Birth) -> Cause:
        """A matrix that cannot be inverted."""
        return self.cause(
            "singular-matrix",
            f"the matrix {quoted(_operand(birth.record))} given to {spoken(birth.record)} is singular or not positive definite",
            birth,
            "add a small multiple of the identity to the diagonal: matrix + 1e-6 * tf.eye(n)",
        )

    def too_large(self, birth: Birth) -> Cause:
        """Finite values grew beyond the range of their dtype: training that diverges, or numbers that are too large."""
        limit = f"the range of {birth.key.dtype.name} ({largest(birth.key.dtype):.2g})"
        if self.times_asked() < 2:
            return self.cause(
                "overflow",
                f"{spoken(birth.record)} leaves {limit}",
                birth,
                "scale the values down, or work with their logarithms",
            )
        summed = next(self.sums_over_a_batch(), None)
        if summed is None:
            return self.cause(
                "diverged",
                f"{spoken(birth.record)} leaves {limit}: from step to step the values grew too large",
                birth,
                "lower the learning rate, or clip the gradients (tf.clip_by_global_norm)",
                likely=True,
            )
        record, count = summed
        place = site(record.code, record.instruction, "summed here", described(record.inputs[0]))
        grew = site(birth.record.code, birth.record.instruction, "too large here")
        return Cause(
            "loss-scales-with-batch",
            self.symptom,
            f"{self.opening}: the values grew beyond {limit} from step to step; the loss is a sum over {count} elements, so "
            f"each step is {count} times as long as with a mean",
            (place, grew, *self.asked),
            "use tf.reduce_mean in place of tf.reduce_sum, or a learning rate divided by the batch size",
            {"summed": described(record.inputs[0])},
            likely=True,
        )

    def sums_over_a_batch(self) -> Iterator[tuple[Record, int]]:
        """The sums of many elements that the target is made of, and that nothing divides again."""
        pending, seen = list(self.target_keys), set(self.target_keys)
        added: dict[tuple[Any, int], int] = {}
        while pending:
            record = self.history.made_by.get(pending.pop())
            if not isinstance(record, Record):
                continue
            name = record.plan.primitive.name
            if name in ("reduce_sum", "l2_loss") and not outputs_of(record)[0].shape:
                count = math.prod(record.inputs[0].shape)
                if count > 1:
                    yield record, count
            if name == "add":  # a loss added up in a loop
                place = (record.code, record.instruction)
                added[place] = added.get(place, 0) + 1
                if added[place] == 8:
                    adds = sum((r.code, r.instruction) == place for r in self.call.tape.records)
                    yield record, adds
            if name in ("add", "subtract", "multiply", "negative", "add_n", "identity", "cast", "sqrt"):
                for key in record.inputs:
                    if key not in seen:
                        seen.add(key)
                        pending.append(key)

    # -- born in a rule --

    def backward(self, birth: Birth) -> Cause:
        """The cause of an inf or nan that a rule made of finite cotangents."""
        record, name = birth.record, birth.record.plan.primitive.name
        births = self.numerics.births
        operand = _operand(record)
        made = self.numerics.made(outputs_of(record)[0])
        hidden = next((births[key] for key in (*outputs_of(record), *record.inputs) if key in births), None)
        at_zero = made is not None and any(a.dtype.kind in "fcV" and (a == 0).any() for a in made.inputs)
        selected = self.selecting_after(birth)
        if selected is not None:
            return self.hidden_by_where(birth, selected)
        if hidden is not None:
            return self.forward(hidden)
        if name in ROOTS and at_zero:
            return self.cause(
                "infinite-slope",
                f"{spoken(record)} is evaluated at exactly 0{_where_zero(made)}, where its slope is infinite",
                birth,
                f"keep away from 0: add a small constant inside, such as {_with_epsilon(record, operand)}",
            )
        if name in ("asin", "acos", "atanh", "acosh"):
            return self.cause(
                "infinite-slope",
                f"{spoken(record)} is evaluated at {_values(made.inputs[0][~np.isfinite(birth.made)]) if made else '1'}, "
                "where its slope is infinite",
                birth,
                f"stay inside the range: tf.clip_by_value({operand}, -1 + 1e-6, 1 - 1e-6)",
            )
        if name == "atan2" and at_zero:
            return self.cause(
                "zero-divided-by-zero",
                f"{spoken(record)} has no slope at the origin: {listed(operand_names(record.code, record.instruction) or ['x'])} are 0",
                birth,
                "keep away from the origin: add a small constant to the second argument where both are 0",
            )
        if name in ("divide", "xdivy") and at_zero:
            return self.cause(
                "zero-divided-by-zero",
                f"the slope of {spoken(record)} is 0/0 here: {quoted(operand)} is 0",
                birth,
                self.help_with_divisor(record),
            )
        if name in MATRIX_OPS:
            return self.singular(birth)
        if birth.key.dtype == np.float16 and not np.isnan(birth.made).any():
            return self.cause(
                "half-precision-range",
                f"the gradient that goes back through {spoken(record)} leaves the range of float16 (65504)",
                birth,
                "compute this part in float32: tf.cast(..., tf.float32), or scale the loss down",
            )
        if not np.isnan(birth.made).any() or _is_huge(birth, made):
            return self.too_large(birth)
        return self.cause(
            "not-finite-here",
            f"the gradient of {spoken(record)} gave inf or nan",
            birth,
            f"look at the values of {quoted(operand)} here",
        )

    def selecting_after(self, birth: Birth) -> Record | None:
        """The `where` (or lookup) that hides what the op made: it sent the rule a cotangent of 0 at the bad elements."""
        g = birth.arrays[0]
        bad = ~np.isfinite(birth.made)
        if g.shape == bad.shape:
            if g[bad].any():
                return None  # something did arrive: the slope itself is infinite
        elif g.all():
            return None
        seen = set(outputs_of(birth.record))
        pending = list(seen)
        while pending:
            for user in self.history.used_by.get(pending.pop(0), ()):
                if not isinstance(user, Record):
                    continue
                if user.plan.primitive.name in ("where", "gather", "gather_nd"):
                    return user
                pending += [key for key in outputs_of(user) if key not in seen]
                seen.update(outputs_of(user))
        return None

    def hidden_by_where(self, birth: Birth, selected: Record) -> Cause:
        """An invalid value that is not chosen, and yet is differentiated."""
        record = birth.record
        operand, spoken_op = _operand(record), spoken(record)
        where = site(selected.code, selected.instruction, "hidden here")
        place = site(record.code, record.instruction, "not finite here", _count(birth))
        hides = "tf.where" if selected.plan.primitive.name == "where" else spoken(selected)
        value = "1.0" if record.plan.primitive.name != "exp" else "0.0"
        return Cause(
            "where-nan-branch",
            self.symptom,
            f"{self.opening}: {hides} hides an invalid value of {spoken_op} at {_count(birth)}, but what it does not choose is "
            "differentiated too, and 0 times infinity is nan",
            (place, where, *self.asked),
            f"make the argument safe inside as well: put tf.where(condition, {operand}, {value}) in place of {operand}",
            {operand: described(birth.key)},
        )


# -- what is said of an op --


def _operand(record: Record) -> str:
    """The operand that an op is about, as written: of a quotient, the divisor."""
    names = operand_names(record.code, record.instruction)
    if not names:
        return "x"
    is_quotient = record.plan.primitive.name in ("divide", "floor_mod", "matrix_solve") and len(names) > 1
    return names[1] if is_quotient else names[0]


def _with_epsilon(record: Record, operand: str) -> str:
    node = node_at(record.code, record.instruction)
    if isinstance(node, ast.Call) and spoken(record).endswith("norm"):
        return f"tf.sqrt(tf.reduce_sum(tf.square({operand}){_over(node)}) + 1e-12)"
    if isinstance(node, ast.BinOp):
        return f"({operand} + 1e-12) ** {ast.unparse(node.right)}"
    return f"{spoken(record)}({operand} + 1e-12)"


def _over(norm: ast.Call) -> str:
    """The arguments of a norm that a sum of squares must be given too."""
    order = ("input_tensor", "axis", "keepdims") if syntax.called_name(norm) != "norm" else ("", "", "axis", "keepdims")
    given = dict(zip(order, norm.args)) | {each.arg: each.value for each in norm.keywords}
    return "".join(f", {name}={ast.unparse(given[name])}" for name in ("axis", "keepdims") if name in given)


def _count(birth: Birth) -> str:
    if birth.total == 1:
        return "its only element"
    places = np.argwhere(~np.isfinite(birth.made))
    at = f", the first at {places[0].tolist()}" if len(places) else ""
    return f"{birth.bad} of {birth.total} elements{at}"


def _where_zero(made: Any) -> str:
    x = made.inputs[0]
    zeros = int((x == 0).sum())
    return f", at {zeros} of {x.size} elements" if zeros > 0 and x.size > 1 else ""


def _given(birth: Birth) -> str:
    """What an op was given where it made inf or nan, if it works element by element."""
    names = operand_names(birth.record.code, birth.record.instruction)
    bad = ~np.isfinite(birth.made)
    if len(names) != len(birth.arrays) or not birth.record.plan.primitive.broadcasts:
        return ""
    given = [
        f"{quoted(name)} is {_values(np.broadcast_to(x, bad.shape)[bad])}"
        for name, x in zip(names, birth.arrays)
        if not isinstance(ast.parse(name, mode="eval").body, ast.Constant)
    ]
    return f": {' and '.join(given)} there" if given else ""


def _values(found: Any) -> str:
    """A few offending values."""
    shown = [f"{float(v):.8g}" for v in np.unique(np.real(found))[:3]]
    return ", ".join(shown) + (", ..." if np.unique(found).size > 3 else "")


def _is_finite_in_double(birth: Birth) -> bool:
    if birth.key.dtype == np.float64:  # no wider range to try: an inf of finite numbers is the range's end
        return not np.isnan(birth.made).any()
    wide = in_double(birth)
    return isinstance(wide, np.ndarray | np.generic) and bool(np.isfinite(wide).all())


def _is_huge(birth: Birth, made: Any) -> bool:
    """Whether a rule was given numbers whose product is beyond the range: sums of such products are nan."""
    if made is None:
        return False
    g, x = (max(float(np.max(np.abs(a), initial=0.0)) for a in arrays) for arrays in (birth.arrays, made.inputs))
    return g * x > largest(birth.key.dtype)


def largest(dtype: Any) -> float:
    """The largest number of a floating dtype; NumPy does not know bfloat16, whose range is float32's."""
    return float(np.finfo(dtype if dtype.kind != "V" else np.float32).max)


def _has_masked_row(x: Any, axis: Any) -> bool:
    if axis is None:
        axis = tuple(range(x.ndim))
    return bool(np.isneginf(x).all(axis=axis).any()) if x.ndim else bool(np.isneginf(x))


# -- ops whose inf or nan has a reason of its own --


def _log(q: Question, birth: Birth) -> Cause | None:
    x, operand = birth.arrays[0], _operand(birth.record)
    zero = -1 if birth.record.plan.primitive.name == "log1p" else 0
    if not (x == zero).any():
        return q.cause(
            "log-of-negative",
            f"the logarithm is taken of negative values of {quoted(operand)}: {_values(x[x < zero])}",
            birth,
            f"keep {quoted(operand)} positive: a softplus or an exp before it, or tf.maximum",
        )
    maker = q.numerics.made(birth.record.inputs[0])
    if maker is not None and maker.record.plan.primitive.name == "matrix_determinant":
        return q.singular(birth)
    return q.cause(
        "log-of-zero",
        f"the logarithm is taken of {quoted(operand)}, which is exactly {zero} at {int((x == zero).sum())} of {x.size} elements",
        birth,
        f"add a small constant, tf.math.log({operand} + 1e-7), or use a loss that works on logits",
    )


def _divide(q: Question, birth: Birth) -> Cause | None:
    a, b = birth.arrays
    operand = _operand(birth.record)
    help = q.help_with_divisor(birth.record)
    if not (b == 0).any():
        return None
    both = np.logical_and(a == 0, b == 0)
    if not both.any():
        return q.cause(
            "division-by-zero", f"{quoted(operand)} is 0 at {int((b == 0).sum())} of {b.size} elements", birth, help
        )
    maker = q.numerics.made(birth.record.inputs[0])
    if maker is not None and maker.record.plan.primitive.name == "exp" and np.isneginf(maker.inputs[0]).any():
        return q.fully_masked(birth)
    return q.cause(
        "zero-divided-by-zero", f"0 is divided by 0 at {int(both.sum())} of {both.size} elements", birth, help
    )


def _reciprocal(q: Question, birth: Birth) -> Cause | None:
    (x,) = birth.arrays[:1]
    operand = _operand(birth.record)
    if (x < 0).any() and birth.record.plan.primitive.name == "rsqrt":
        return _root(q, birth)
    return q.cause(
        "division-by-zero",
        f"{quoted(operand)} is 0 at {int((x == 0).sum())} of {x.size} elements",
        birth,
        f"use tf.math.reciprocal_no_nan, or add a small constant to {quoted(operand)}",
    )


def _exp(q: Question, birth: Birth) -> Cause | None:
    x = birth.arrays[0]
    limit = math.log(largest(birth.key.dtype))
    return q.cause(
        "exp-overflow",
        f"{spoken(birth.record)} of {float(np.max(x)):.4g} is beyond the range of {birth.key.dtype.name}, which ends at exp({limit:.1f})",
        birth,
        "use a stable form: tf.sigmoid, tf.nn.softplus, tf.nn.softmax, tf.reduce_logsumexp, or subtract the maximum first",
    )


def _root(q: Question, birth: Birth) -> Cause | None:
    x, operand = birth.arrays[0], _operand(birth.record)
    if birth.record.plan.primitive.name == "power":
        exponent = birth.arrays[1]
        if (x == 0).any() and (exponent < 0).any():
            return _reciprocal(q, birth)
        if not np.isnan(birth.made).any():
            return None
    return q.cause(
        "root-of-negative",
        f"the root is taken of negative values of {quoted(operand)}: {_values(x[x < 0])}",
        birth,
        f"keep {quoted(operand)} from falling below 0, for instance with tf.maximum({operand}, 1e-12)",
    )


def _mean(q: Question, birth: Birth) -> Cause | None:
    if birth.arrays[0].size:
        return None
    operand = _operand(birth.record)
    return q.cause(
        "zero-divided-by-zero",
        f"the mean is taken of {quoted(operand)}, which has no elements: 0 divided by 0",
        birth,
        "use tf.math.divide_no_nan(tf.reduce_sum(x), count), or leave out empty batches",
    )


_FORWARD: dict[str, Callable[[Question, Birth], Cause | None]] = {
    "log": _log,
    "log1p": _log,
    "divide": _divide,
    "floor_mod": _divide,
    "reciprocal": _reciprocal,
    "exp": _exp,
    "expm1": _exp,
    "sinh": _exp,
    "cosh": _exp,
    "sqrt": _root,
    "rsqrt": _reciprocal,
    "power": _root,
    "reduce_mean": _mean,
    "reduce_variance": _mean,
}
