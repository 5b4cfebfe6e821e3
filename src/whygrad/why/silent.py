"""What is wrong without a sign of it: broadcasts that grew both operands, terms that the tape did not see, softmax twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from whygrad.ops.primitive import Record
from whygrad.tape.gradient_tape import GradientCall
from whygrad.values.recorders import Event
from whygrad.values.tensor import Key
from whygrad.values.variable import Variable
from whygrad.why.cause import Cause
from whygrad.why.history import History
from whygrad.why.source import Site, operand_names, site
from whygrad.why.words import described, gradient_names, quoted

if TYPE_CHECKING:
    from whygrad.why.trace import Trace

# Ops and words with which people ask for an axis of length one: then a table of all pairs is meant.
_MAKES_AN_AXIS = ("expand_dims", "reshape", "transpose", "matrix_transpose", "getitem", "stack", "fill", "broadcast_to")
_ASKS_FOR_AN_AXIS = re.compile(r"None|newaxis|expand_dims|reshape|transpose|keepdims|\.T\b|[:,]\s*:1\b")


def explain(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    """Everything of this kind in the program around a call of gradient."""
    history = trace.history()
    yield from broadcasts(call, history)
    yield from _double_softmax(call, history)
    yield from _degenerate(call, trace)
    yield from _terms_outside(call, history, trace)


# -- broadcasting --


def broadcasts(call: GradientCall, history: History) -> Iterator[Cause]:
    """Two operands of which each was repeated along the other's axis: (N, 1) with (N,) is an (N, N) table."""
    for record in call.broadcasts:
        a, b = record.inputs
        output = record.output
        if not isinstance(output, Key) or not _grew_alike(a.shape, b.shape, output.shape):
            continue
        names = operand_names(record.code, record.instruction)
        if any(_is_meant(history, key) for key in (a, b)) or any(_ASKS_FOR_AN_AXIS.search(name) for name in names):
            continue
        left, right = names if len(names) == 2 else ("the first operand", "the second")
        yield Cause(
            "silent-broadcast",
            "wrong_value",
            f"{quoted(left)} of shape {a.shape} and {quoted(right)} of shape {b.shape} were both repeated, to a table of shape "
            f"{output.shape}",
            (
                site(record.code, record.instruction, "broadcast here", f"{described(a)} with {described(b)}"),
                site(call.code, call.instruction, "asked here"),
            ),
            f"give both the same shape: tf.squeeze({left}, -1), or tf.reshape({right}, {left}.shape)",
            {left: described(a), right: described(b)},
            likely=True,
        )


def _grew_alike(a: tuple[int, ...], b: tuple[int, ...], out: tuple[int, ...]) -> bool:
    """Whether both operands were repeated the same number of times, along different axes."""

    def grown(shape: tuple[int, ...]) -> dict[int, int]:
        padded = (1,) * (len(out) - len(shape)) + shape
        return {axis: size for axis, (old, size) in enumerate(zip(padded, out)) if old != size}

    in_a, in_b = grown(a), grown(b)
    return bool(in_a and in_b) and bool(set(in_a.values()) & set(in_b.values()))


def _is_meant(history: History, key: Key) -> bool:
    maker = history.made_by.get(key)
    if not isinstance(maker, Record):
        return False
    return maker.plan.primitive.name in _MAKES_AN_AXIS or bool(maker.attributes.get("keepdims"))


# -- softmax applied twice --


def _double_softmax(call: GradientCall, history: History) -> Iterator[Cause]:
    for record in call.tape.records:
        name = record.plan.primitive.name
        if name not in ("softmax_cross_entropy_with_logits", "sparse_softmax_cross_entropy_with_logits", "softmax"):
            continue
        logits = record.inputs[-1]
        maker = history.made_by.get(logits)
        if isinstance(maker, Record) and maker.plan.primitive.name == "softmax":
            yield Cause(
                "double-softmax",
                "wrong_value",
                f"{name} applies softmax, and what it is given are probabilities, from a softmax already",
                (
                    site(record.code, record.instruction, "applied again here", described(logits)),
                    site(maker.code, maker.instruction, "applied here"),
                    site(call.code, call.instruction, "asked here"),
                ),
                "give the loss the logits: leave out the first softmax",
                likely=True,
            )


# -- eigenvectors that are not unique --


def _degenerate(call: GradientCall, trace: Trace) -> Iterator[Cause]:
    for record, key in trace.numerics.eigenvectors:
        matrix = trace.numerics.inputs.get(record.output[0] if isinstance(record.output, tuple) else record.output)
        if not matrix or not _has_repeated_eigenvalues(matrix[0]):
            continue
        operands = operand_names(record.code, record.instruction)
        yield Cause(
            "degenerate-eigenvectors",
            "wrong_value",
            f"{quoted(operands[0] if operands else 'the matrix')} has repeated eigenvalues: its eigenvectors are not unique, and "
            "the undefined terms of their derivative were dropped",
            (
                site(record.code, record.instruction, "decomposed here", described(key)),
                site(call.code, call.instruction, "asked here"),
            ),
            "use a function that needs no eigenvectors (tf.linalg.sqrtm, tf.linalg.expm, tf.linalg.cholesky), or break the tie "
            "with a small perturbation",
        )


def _has_repeated_eigenvalues(matrix: np.ndarray[Any, Any]) -> bool:
    if not np.isfinite(matrix).all() or matrix.shape[-1] < 2:
        return False
    values = np.linalg.svd(matrix.astype(np.float64), compute_uv=False)
    gaps = np.abs(np.diff(np.sort(values, axis=-1), axis=-1))
    return bool((gaps <= 1e-6 * np.maximum(1e-30, np.abs(values).max())).any())


# -- terms that the tape did not see --


def _terms_outside(call: GradientCall, history: History, trace: Trace) -> Iterator[Cause]:
    """A term of the target that depends on a source, but was computed while the tape was not recording."""
    recorded = {key for record in call.tape.records for key in _outputs(record)}
    for key in _terms(call, history):
        if key in recorded or key in call.tape.live:
            continue
        maker = history.made_by.get(key)
        if not isinstance(maker, Record):
            continue
        for position, source in enumerate(call.sources):
            if call.gradients[position] is None or not isinstance(source, Variable):
                continue
            found = _depends(history, key, set(trace.values_of(source)))
            if found is not None:
                yield _outside(call, position, maker, found)
                break


def _terms(call: GradientCall, history: History) -> Iterator[Key]:
    """The scalars that the target is a weighted sum of."""
    pending = [key for key in (call.key_of(t) for t in call.targets) if key is not None and not key.shape]
    seen = set(pending)
    while pending:
        key = pending.pop()
        yield key
        maker = history.made_by.get(key)
        if isinstance(maker, Record) and maker.plan.primitive.name in (
            "add",
            "subtract",
            "multiply",
            "add_n",
            "negative",
        ):
            for origin in maker.inputs:
                if origin not in seen and not origin.shape:
                    seen.add(origin)
                    pending.append(origin)


def _depends(history: History, key: Key, values: set[Key]) -> Event | Record | None:
    """What a term was computed by from one of these values: ops, or a gradient taken earlier (never through a variable)."""
    pending: list[tuple[Key, Event | None]] = [(key, None)]
    seen = {key}
    while pending:
        here, crossed = pending.pop()
        maker = history.made_by.get(here)
        if isinstance(maker, Event) and maker.kind == "differentiated":
            crossed = maker
        elif not isinstance(maker, Record) or maker.plan.primitive.no_gradient is not None:
            continue
        for origin in maker.inputs if isinstance(maker, Record) else (maker.source,):
            if origin in values:
                return crossed or maker
            if origin is not None and origin not in seen:
                seen.add(origin)
                pending.append((origin, crossed))
    return None


def _outside(call: GradientCall, position: int, maker: Record, through: Event | Record) -> Cause:
    targets, sources = gradient_names(call.code, call.instruction, len(call.targets), len(call.sources))
    asked = site(call.code, call.instruction, "asked here")
    missing = f"the gradient of {quoted(targets[0])} with respect to {quoted(sources[position])} lacks a term"
    term = site(maker.code, maker.instruction, "computed outside")
    if isinstance(through, Event):
        return Cause(
            "derivative-not-recorded",
            "wrong_value",
            f"{missing}: it contains a gradient that was taken outside this tape, which is a constant for it",
            (site(through.code, through.instruction, "differentiated here"), term, asked),
            "take the inner gradient inside the outer tape's with block, so that it is recorded too",
        )
    return Cause(
        "computed-outside-tape",
        "wrong_value",
        f"{missing}: part of {quoted(targets[0])} was computed while the tape was not recording, and is a constant for it",
        (term, asked),
        "move this line into the with block",
    )


def _outputs(record: Record) -> tuple[Key, ...]:
    return record.output if isinstance(record.output, tuple) else (record.output,)


# -- Python values that tf.function keeps --


def frozen_value(name: str, first: Any, now: Any, place: tuple[str, int, int, int]) -> Cause:
    """A Python value that a function under tf.function read has changed since its first call."""
    file, line, column, end = place
    return Cause(
        "function-baked-python-value",
        "wrong_value",
        f"tf.function keeps the value that {quoted(name)} had when the function was first called, {first!r}; it is {now!r} now, "
        "and TensorFlow would go on with the old one",
        (Site(file, line, column, line, end, name, "read here"),),
        f"pass {quoted(name)} as an argument (as a tensor, so that the function is not recorded anew each time), or keep it in "
        "a tf.Variable with trainable=False",
    )
