"""What is wrong without a sign of it: the number looks like any other, and only how it was computed tells."""

from __future__ import annotations

import ast
import itertools
import reprlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.compile.trace_listeners import ChangedValue
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.causes import missing_terms, softmax
from whygrad.why.causes.broadcast import broadcasts
from whygrad.why.evidence.history import outputs_of
from whygrad.why.evidence.numerics import Pulled, all_zero
from whygrad.why.evidence.question import kept_at
from whygrad.why.source.gradient_functions import gradient_code, returned_at
from whygrad.why.source.names import names_of
from whygrad.why.source.sites import Site, operand_names, site, tree_of
from whygrad.why.source.syntax import around
from whygrad.why.source.wording import described, gradient_names, quoted

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace


def explain(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    """Everything of this kind in the program around a call of gradient."""
    history = trace.history()
    yield from broadcasts(call, history, constants=True)
    yield from softmax.explain(call, trace)
    yield from _degenerate(call, trace)
    yield from _ignores_upstream(call, trace)
    yield from missing_terms.explain(call, history, trace)


# -- a tape that is never let go --


def growing(call: GradientCall, trace: Trace) -> Cause | None:
    """A persistent tape that is asked again and again inside its block, and holds everything since it was opened."""
    times, first, now = trace.growth_of(call)
    if times < 10 or now < 1000 or now < 5 * first:
        return None
    return Cause(
        "tape-keeps-growing",
        "wrong_value",
        f"this persistent tape was asked {times} times while it was recording, and holds {now:,} ops by now, the gradients' own "
        "among them: each step is slower than the one before and takes more memory",
        (site(call.code, call.instruction, "asked again and again here"),),
        "open a new tape for each step: put the with block inside the loop, and ask after it",
        likely=True,
    )


# -- a variable that is made anew in every step --

_PASSES = 3  # in a row, before it is said


def made_anew(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    """Each time at this place the source is a new variable, and what the last one was changed to is never read."""
    for position, (*before, source) in enumerate(zip(*trace.last_sources(call, _PASSES))):
        passes = itertools.pairwise((*before, source))
        if len(before) + 1 < _PASSES or not all(_is_lost(old, new, trace) for old, new in passes):
            continue
        changed = trace.last_change_of(before[-1])
        made = trace.stack_of(trace.values_of(source)[0])
        if changed is None or not made:
            continue
        name = names_of(call)[1][position]
        yield Cause(
            "variable-made-anew",
            "wrong_value",
            f"{quoted(name)} is a new variable each time: what the last one was changed to is lost, and training begins again",
            (
                site(*(kept_at(made) or made[0]), "made anew here", described(source)),
                site(changed.code, changed.instruction, "changed here"),
                site(call.code, call.instruction, "asked here"),
            ),
            "make the variable once, before the loop",
            {name: described(source)},
            likely=True,
        )


def _is_lost(old: Any, new: Any, trace: Trace) -> bool:
    """Whether a variable was changed for nothing: nobody read it since, and another one made at the same place is used."""
    if old is new or not (isinstance(old, Variable) and isinstance(new, Variable)):
        return False
    values, others = trace.values_of(old), trace.values_of(new)
    if len(values) < 2 or not others:
        return False
    made = trace.stack_of(values[0])
    return bool(made) and made == trace.stack_of(others[0]) and not trace.history().used_by.get(values[-1])


# -- eigenvectors that are not unique --


def _degenerate(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    for pulled in trace.numerics.watched:
        record = pulled.record
        if record.plan.primitive.name not in ("matrix_eigh", "matrix_svd") or not _drops_terms(pulled, trace):
            continue
        operands = operand_names(record.code, record.instruction)
        which = "eigen" if record.plan.primitive.name == "matrix_eigh" else "singular "
        yield Cause(
            "degenerate-eigenvectors",
            "wrong_value",
            f"{quoted(operands[0] if operands else 'the matrix')} has repeated {which}values: the vectors that belong to them are "
            "not unique, and the undefined terms of their derivative were dropped",
            (
                site(record.code, record.instruction, "decomposed here", described(pulled.key)),
                site(call.code, call.instruction, "asked here"),
            ),
            "use a function that needs no eigenvectors (tf.linalg.sqrtm, tf.linalg.expm, tf.linalg.cholesky), or break the tie "
            "with a small perturbation",
            {operands[0] if operands else "the matrix": described(pulled.key)},
        )


def _drops_terms(pulled: Pulled, trace: Trace) -> bool:
    """Whether the cotangents of two vectors that belong to the same value mix them: that part has no derivative."""
    outputs = [trace.numerics.made(key) for key in outputs_of(pulled.record)]
    if not isinstance(pulled.g, tuple) or any(made is None for made in outputs):
        return False
    values, *bases = [made.output.astype(np.float64) for made in outputs]  # type: ignore[union-attr]
    cotangents = [np.asarray(getattr(g, "_array", g)).astype(np.float64) for g in pulled.g[1:]]
    if not all(np.isfinite(array).all() for array in (values, *bases, *cotangents)):
        return False
    n = values.shape[-1]
    largest = np.abs(values).max(initial=0.0, axis=-1, keepdims=True)[..., None]
    alike = np.abs(values[..., :, None] - values[..., None, :]) <= 1e-6 * np.maximum(largest, 1e-30)
    alike &= ~np.eye(n, dtype=bool)
    for vectors, g in zip(bases, cotangents):
        mixing = np.swapaxes(vectors, -1, -2)[..., :n, :] @ g[..., :n]
        if (np.abs(mixing) * alike > 1e-6 * np.abs(g).max(initial=0.0)).any():
            return True
    return False


# -- a custom gradient that does not use what arrives --


def _ignores_upstream(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    for pulled in trace.numerics.watched:
        record = pulled.record
        arrived = [
            np.asarray(getattr(g, "_array", g)) for g in (pulled.g if isinstance(pulled.g, tuple) else (pulled.g,))
        ]
        if all((g == 1).all() for g in arrived) or all_zero(pulled.gx) or not _ignores_its_arguments(record):
            continue
        name = record.plan.primitive.name
        returned = returned_at(record, "returned here")
        called = site(record.code, record.instruction, "called here")
        yield Cause(
            "custom-gradient-ignores-upstream",
            "wrong_value",
            f"the gradient function of {quoted(name)} does not use the upstream gradient it is given: what is computed from "
            f"{quoted(name)} has no influence on the gradient",
            (*([] if returned is None else [returned]), called, site(call.code, call.instruction, "asked here")),
            "multiply what the gradient function returns by its argument: return upstream * slope",
            {name: described(pulled.key)},
        )
        return


_ONLY_ITS_FORM = ("shape", "dtype", "ndim", "ones_like", "zeros_like", "rank", "size")


def _ignores_its_arguments(record: Any) -> bool:
    """Whether a gradient function mentions its arguments at most for their shape and dtype."""
    code = gradient_code(record) if record.plan.primitive.takes_tensors else None
    tree = None if code is None else tree_of(code.co_filename)
    if code is None or tree is None or not (code.co_argcount or code.co_flags & 4):
        return False
    names = set(code.co_varnames[: code.co_argcount + (1 if code.co_flags & 4 else 0)]) - {"self", "variables"}
    function = next(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.Lambda)
            and getattr(node, "name", "<lambda>") == code.co_name
            and code.co_firstlineno in {node.lineno, *[d.lineno for d in getattr(node, "decorator_list", ())]}
        ),
        None,
    )
    if function is None:
        return False
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id in names]
    return all(_is_about_its_form(node) for node in uses)


def _is_about_its_form(node: ast.Name) -> bool:
    above = next(around(node), None)
    if isinstance(above, ast.Attribute):
        return above.attr in _ONLY_ITS_FORM
    return isinstance(above, ast.Call) and getattr(above.func, "attr", getattr(above.func, "id", "")) in _ONLY_ITS_FORM


# -- Python values that tf.function keeps --


def frozen_value(changed: ChangedValue) -> Cause:
    """A Python value that a function under tf.function read has changed since its first call."""
    name, first, now, (file, line, column, end) = changed
    return Cause(
        "function-baked-python-value",
        "wrong_value",
        f"tf.function keeps the value that {quoted(name)} had when the function was first called, {_short(first)}; it is {_short(now)} "
        "now, and TensorFlow would go on with the old one",
        (Site(file, line, column, line, end, name, "read here"),),
        f"pass {quoted(name)} as an argument (as a tensor, so that the function is not recorded anew each time), or keep it in "
        "a tf.Variable with trainable=False",
    )


def _short(value: Any) -> str:
    """A value as it would be written, on one line, without the middle of a long one."""
    if isinstance(value, np.ndarray):
        return " ".join(np.array2string(value, threshold=8, edgeitems=2, precision=4).split())
    return reprlib.repr(value)
