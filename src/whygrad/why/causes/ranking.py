"""Which cause is named where several apply: every kind under its symptom, in the order in which explanations are tried.

`why/diagnosis.py` goes through these tables. A kind that is in none of them is never named, and has no page.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Set
from typing import Any, NamedTuple

from whygrad.ops.primitive import Record
from whygrad.ops.traits import Arithmetic
from whygrad.values.tensor import Key
from whygrad.why.cause import Cause
from whygrad.why.causes import (
    branch_not_taken,
    computed_outside_tape,
    constant_derivative,
    custom_gradient_wrong_count,
    derivative_not_recorded,
    discrete_sampling,
    forgotten_variable,
    function_baked_python_value,
    function_retraced,
    gradient_not_applied,
    hidden_layer,
    integer_dtype,
    layer_never_called,
    layer_not_built,
    leaked_tensor,
    loss_computed_once,
    non_differentiable_op,
    nonfinite_gradient,
    numpy_conversion,
    piecewise_linear_second_derivative,
    python_callback_opaque,
    ran_once,
    recording_switched_off,
    silent_broadcast,
    silent_mistakes,
    softmax_over_one_class,
    source_inside_function,
    source_is_a_copy,
    source_not_watched,
    source_unused,
    stop_gradient_misplaced,
    tape_keeps_growing,
    variable_assigned_in_tape,
    variable_made_anew,
    variable_not_tracked,
    variable_overwritten_by_tensor,
    variable_rewrap,
    weights_frozen,
    wrong_variable_list,
    zero_gradient,
)
from whygrad.why.evidence.broken_path import Cut, Ending, cuts
from whygrad.why.evidence.history import Step, outputs_of
from whygrad.why.evidence.question import SourceQuestion
from whygrad.why.source import syntax
from whygrad.why.source.sites import node_at


class Entry(NamedTuple):
    """An explanation, and the kinds of the causes that it may find."""

    explain: Callable[..., Any]
    kinds: tuple[str, ...]


# -- a None whose path is cut: how the path ends decides which cut is named --


def _explain_compiled(q: SourceQuestion, step: Step) -> Cause:
    from whygrad.why.causes import compiled_call  # which loads JAX

    return compiled_call.explain(q, step)


_WITHOUT_GRADIENT = (
    Entry(python_callback_opaque.explain_cut, ("python-callback-opaque",)),
    Entry(discrete_sampling.explain, ("discrete-sampling",)),
    Entry(integer_dtype.explain_cast, ("integer-dtype",)),
    Entry(non_differentiable_op.explain, ("non-differentiable-op",)),
)
_STOPPED = (
    Entry(wrong_variable_list.explain_stopped, ("wrong-variable-list",)),
    Entry(stop_gradient_misplaced.explain, ("stop-gradient-misplaced",)),
)
_NOT_WATCHED = (
    Entry(
        source_not_watched.explain,
        ("source-not-watched", "variable-overwritten-by-tensor", "computed-outside-tape", "derivative-not-recorded"),
    ),
)
_NOT_RECORDED = (Entry(computed_outside_tape.explain, ("derivative-not-recorded", "computed-outside-tape")),)
_MADE = (Entry(variable_rewrap.explain, ("variable-rewrap",)),)
_ASSIGNED = (Entry(variable_assigned_in_tape.explain, ("variable-assigned-in-tape",)),)
_COPIED = (Entry(wrong_variable_list.explain_copied_before, ("wrong-variable-list",)),)
_DERIVATIVE = (Entry(derivative_not_recorded.explain, ("derivative-not-recorded",)),)
_CUSTOM = (Entry(custom_gradient_wrong_count.explain, ("custom-gradient-wrong-count",)),)
_COMPILED = (Entry(_explain_compiled, ("source-unused",)),)  # and what cuts the path inside the function

# The ending least likely to be intended first. Of endings on one level, the nearest to the source is named.
CUTS: tuple[dict[Ending, tuple[Entry, ...]], ...] = (
    {Ending.STOP_GRADIENT_OF_ROUNDING: _STOPPED},
    {
        Ending.NO_GRADIENT: _WITHOUT_GRADIENT,
        Ending.NOT_WATCHED: _NOT_WATCHED,
        Ending.VARIABLE_MADE: _MADE,
        Ending.VARIABLE_ASSIGNED: _ASSIGNED,
        Ending.DERIVATIVE_NOT_RECORDED: _DERIVATIVE,
    },
    {Ending.LEFT_FOR_NUMPY: ()},  # explained by `numpy_conversion`, which reads the program's text
    {Ending.NOT_RECORDED: _NOT_RECORDED},
    {Ending.STOP_GRADIENT: _STOPPED},
    {Ending.LEFT_FOR_NUMPY_BEFORE: ()},
    {Ending.NO_GRADIENT_OF_INDEX: _WITHOUT_GRADIENT},
    {Ending.VARIABLE_MADE_BEFORE: (*_COPIED, *_MADE), Ending.VARIABLE_ASSIGNED_BEFORE: (*_COPIED, *_ASSIGNED)},
    {Ending.CUSTOM_GRADIENT: _CUSTOM, Ending.COMPILED: _COMPILED},
    {Ending.DERIVATIVE_RECORDED: ()},  # no cut by itself: the ops of the recorded sweep are on the path, if anything is
    {Ending.ONLY_SHAPE: ()},
)


def _level(ending: Ending) -> int:
    return next(level for level, endings in enumerate(CUTS) if ending in endings)


def _is_of_another_tape(q: SourceQuestion, cut: Cut) -> bool:
    """Whether an op that the tape did not record is not computed from one that it did: it may belong to another step."""
    return cut.ending is Ending.NOT_RECORDED and cut.step.start not in q.evidence.recorded


_COPIES = (Ending.VARIABLE_MADE_BEFORE, Ending.VARIABLE_ASSIGNED_BEFORE)


def _goals(q: SourceQuestion, found: list[Cut]) -> list[Cut]:
    """Of several cuts, those of values that are stopped to be what others are compared with.

    What a copy of the source computed, as the network that follows another does, is the goal itself.
    """
    of_copies = q.evidence.history.descendants(cut.step.end for cut in found if cut.ending in _COPIES)
    return [cut for cut in found if cut.ending is Ending.STOP_GRADIENT and _is_goal(q, cut, of_copies)]


def _is_goal(q: SourceQuestion, cut: Cut, of_copies: Set[Key]) -> bool:
    """Whether a stopped value is only compared with trained ones, as codes of a table are with the embeddings that chose them."""
    users = q.evidence.history.used_by.get(cut.step.end, ())
    return bool(users) and all(
        isinstance(user, Record)
        and user.traits.arithmetic in (Arithmetic.DIFFERENCE, Arithmetic.SQUARED_DIFFERENCE)
        and any(key is not cut.step.end and key in q.evidence.watched and key not in of_copies for key in user.inputs)
        for user in users
    )


def _is_aside(q: SourceQuestion, cut: Cut) -> bool:
    """Whether an op that the tape did not record belongs to what is kept on purpose: made elsewhere, or named so, as old values are."""
    if cut.ending is not Ending.NOT_RECORDED:
        return False
    stack = q.evidence.stack_of(cut.step.end)
    names = {name for place in stack for name in syntax.names_given(node_at(*place)) if name}
    return any(map(syntax.FIXED.search, names)) or all(code is not q.call.code for code, _ in stack)


def explain_cut(q: SourceQuestion) -> Cause | None:
    """The cause of a None whose path is cut: at the likeliest of all places where a path ends, or where a value left."""
    found = cuts(q)
    goals = _goals(q, found)
    found.sort(key=lambda each: (each in goals, _level(each.ending), _is_of_another_tape(q, each)))
    equal = [each for each in found if each.ending is found[0].ending]
    cut: Cut | None = min(equal, key=lambda each: (_is_of_another_tape(q, each), _is_aside(q, each)), default=None)
    cut = None if cut is None else next((each for each in equal if _is_of_same_call(each, cut)), cut)
    level = len(CUTS) if cut is None else _level(cut.ending)
    by_numpy = numpy_conversion.explain(
        q,
        in_tape=_level(Ending.LEFT_FOR_NUMPY) < level,
        before_tape=_level(Ending.LEFT_FOR_NUMPY_BEFORE) < level,
        without_source=cut is None,
        explain_op=_explain_op,
    )
    if by_numpy is not None or cut is None:
        return by_numpy
    return first_cause(CUTS[level][cut.ending], q, cut.step)


def _is_of_same_call(one: Cut, other: Cut) -> bool:
    """Whether a cut is at the op that a library's call is named after, and another one inside of the same call, which computes several."""
    here, there = one.step.through, other.step.through
    if (here.code, here.instruction, one.ending) != (there.code, there.instruction, other.ending):
        return False
    node = node_at(here.code, here.instruction) if isinstance(here, Record) else None
    return isinstance(node, ast.Call) and syntax.called_name(node) == here.plan.primitive.name  # type: ignore[union-attr]


def _explain_op(q: SourceQuestion, step: Step) -> Cause | None:
    return first_cause(_WITHOUT_GRADIENT, q, step)


def _explain_index_of_numpys(q: SourceQuestion) -> Cause | None:
    """The cause, where an op without a gradient made an index, with which NumPy or Python took something for the target.

    Without a trace it is not known where such an index left: it has no gradient anyhow.
    """
    for record in reversed(q.evidence.records):
        made = outputs_of(record)  # none, by control flow over no elements
        step = numpy_conversion.step_without_gradient(q, made[0]) if made else None
        if step is not None and numpy_conversion.leads_to_target(q, record):
            return _explain_op(q, step)
    return None


def first_cause(entries: Iterable[Entry], *args: Any) -> Cause | None:
    """The cause that the first of several explanations finds."""
    found = (entry.explain(*args) for entry in entries)
    return next((cause for cause in found if cause is not None), None)


# -- a None: the first explanation that finds a cause is believed --


def _second_derivative(q: SourceQuestion) -> Cause | None:
    return piecewise_linear_second_derivative.explain_none(q.question, q.position) if q.evidence.derivatives else None


NONE = (
    Entry(_second_derivative, ("piecewise-linear-second-derivative",)),
    Entry(integer_dtype.explain_source, ("integer-dtype",)),
    Entry(recording_switched_off.explain, ("recording-switched-off",)),
    Entry(wrong_variable_list.explain_teacher, ("wrong-variable-list",)),
    Entry(wrong_variable_list.explain_named, ("wrong-variable-list",)),
    Entry(wrong_variable_list.explain_copied_by_numpy, ("wrong-variable-list",)),
    Entry(
        explain_cut,
        (
            *[kind for endings in CUTS for entries in endings.values() for each in entries for kind in each.kinds],
            "numpy-conversion",
        ),
    ),
    Entry(branch_not_taken.explain_untaken, ("branch-not-taken",)),
    Entry(constant_derivative.explain, ("constant-derivative",)),
    Entry(computed_outside_tape.explain_interruption, ("computed-outside-tape",)),
    Entry(computed_outside_tape.explain_unseen_target, ("computed-outside-tape", "derivative-not-recorded")),
    Entry(source_inside_function.explain, ("source-inside-function",)),
    Entry(source_is_a_copy.explain, ("source-is-a-copy",)),
    Entry(wrong_variable_list.explain, ("wrong-variable-list",)),
    Entry(wrong_variable_list.explain_part, ("wrong-variable-list",)),
    Entry(wrong_variable_list.explain_of_another_loss, ("wrong-variable-list",)),
    Entry(branch_not_taken.explain, ("branch-not-taken",)),
    Entry(derivative_not_recorded.explain_operand, ("derivative-not-recorded",)),
    Entry(_explain_index_of_numpys, ("non-differentiable-op", "integer-dtype")),
    Entry(computed_outside_tape.explain_in_pipeline, ("computed-outside-tape",)),
    Entry(source_unused.explain, ("source-unused",)),
)

# Where None stands for a derivative that is zero, as it should be: no mistake, if the program handles None.
TRUE_ZEROS = ("constant-derivative",)
# What no later step can mend.
FOR_GOOD = ("variable-overwritten-by-tensor",)
# What is wrong with a call that gives no gradient at all: with its sources, or its target.
OF_ALL_SOURCES = ("wrong-variable-list", "derivative-not-recorded")

# -- an empty list of sources: likewise --

EMPTY = (
    Entry(layer_not_built.explain, ("layer-not-built",)),
    Entry(weights_frozen.explain, ("weights-frozen",)),
    Entry(variable_not_tracked.explain, ("variable-not-tracked",)),
)

# -- numbers that are wrong, which only a trace shows: the first explanation that finds something is believed --

# In the order of `nonfinite_gradient.py`: data, then what ops made of it, then what rules made.
_NOT_FINITE = (
    "half-precision-range", "nan-in-data", "fully-masked-softmax", "zero-times-infinity", "singular-matrix", "division-by-zero",
    "zero-divided-by-zero", "log-of-zero", "log-of-negative", "root-of-negative", "exp-overflow", "outside-domain",
    "loss-scales-with-batch", "diverged", "overflow", "where-nan-branch", "infinite-slope", "not-finite-here",
)  # fmt: skip
# In the order of `zero_gradient.py`.
_ZERO = (
    "non-scalar-target-summed", "fully-masked-softmax", "overflow", "piecewise-linear-second-derivative",
    "softmax-over-one-class", "normalized-over-one", "non-differentiable-op", "half-precision-range", "saturated-region",
    "stuck-at-zero", "contributions-cancel",
)  # fmt: skip

NUMBERS = (
    Entry(nonfinite_gradient.explain, _NOT_FINITE),
    Entry(python_callback_opaque.explain, ("python-callback-opaque",)),
    Entry(zero_gradient.explain, _ZERO),
)

# Zeros that were seen without a trace: likewise.
ZEROS = (
    Entry(python_callback_opaque.of_zeros, ("python-callback-opaque",)),
    Entry(softmax_over_one_class.of_zeros, ("softmax-over-one-class",)),
    Entry(zero_gradient.cause_of, _ZERO),
)

# -- what is wrong without a sign: all that are found are named --

BROADCAST = (Entry(silent_broadcast.broadcasts, ("silent-broadcast",)),)  # without a trace
EVERY_CALL = (
    Entry(tape_keeps_growing.explain, ("tape-keeps-growing",)),
    Entry(loss_computed_once.explain, ("loss-computed-once",)),
    Entry(variable_made_anew.explain, ("variable-made-anew",)),
    Entry(variable_overwritten_by_tensor.lost_updates, ("variable-overwritten-by-tensor",)),
    Entry(variable_not_tracked.suspect, ("variable-not-tracked",)),
    Entry(hidden_layer.suspect, ("variable-not-tracked",)),
    Entry(layer_never_called.suspect, ("source-unused",)),
    Entry(forgotten_variable.suspect, ("wrong-variable-list",)),
    Entry(wrong_variable_list.suspect_another_network, ("wrong-variable-list",)),
    Entry(weights_frozen.thawed_too_late, ("weights-frozen",)),
)
FIRST_CALL = (
    Entry(
        silent_mistakes.explain,
        (
            "silent-broadcast", "double-softmax", "softmax-over-one-class", "label-out-of-range", "wrong-axis", "arguments-swapped",
            "degenerate-eigenvectors", "singular-matrix", "examples-mixed",
            "custom-gradient-ignores-upstream", "non-scalar-target-summed",
            "derivative-not-recorded", "computed-outside-tape", "stop-gradient-misplaced", "variable-assigned-in-tape",
            "numpy-conversion", "non-differentiable-op", "half-precision-range", "source-is-a-copy",
        ),
    ),
)  # fmt: skip

# -- updates of variables --

UPDATE = (Entry(wrong_variable_list.explain_update, ("wrong-variable-list",)),)
UNCHANGED = (Entry(wrong_variable_list.explain_unchanged, ("wrong-variable-list",)),)  # at the end of the program

APPLIED = (  # likewise
    Entry(gradient_not_applied.explain, ("gradient-not-applied",)),
    Entry(variable_made_anew.optimizers_made_anew, ("variable-made-anew",)),
)

# -- functions that are traced --

CHANGED_VALUE = (Entry(function_baked_python_value.explain, ("function-baked-python-value",)),)
RAN_ONCE = (
    Entry(ran_once.side_effects, ("python-side-effect",)),
    Entry(ran_once.frozen_draws, ("function-baked-python-value",)),
)
SIDE_EFFECT = (Entry(leaked_tensor.left_behind, ("python-side-effect",)),)
RETRACED = (Entry(function_retraced.explain, ("function-retraced",)),)

# -- exceptions: the error itself says what failed (`exceptions.py`), so that no order is needed --

EXCEPTION = (
    "tape-used-twice", "tape-never-entered", "target-not-a-tensor", "not-a-scalar", "source-not-a-tensor",
    "integer-dtype", "output-gradients-mismatch",
    "custom-gradient-wrong-count", "custom-gradient-wrong-shape", "op-without-gradient", "discrete-sampling",
    "sparse-gradient-arithmetic", "leaked-tensor", "python-branch-on-symbolic", "value-needed-while-compiling",
    "shape-depends-on-values", "wrong-axis", "shape-mismatch", "reshape-count", "axis-out-of-range", "index-out-of-range",
    "label-out-of-range", "dtype-mismatch", "singular-matrix", "variable-overwritten-by-tensor", "not-finite-here",
    "not-finite-when-compiled",
    "wrong-variable-list", "variable-made-anew", "input-refused", "invalid-argument",
)  # fmt: skip


def _kinds(*tables: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(kind for table in tables for entry in table for kind in entry.kinds))


# Every kind by its symptom, in the order of rank.
RANKING: dict[str, tuple[str, ...]] = {
    "exception": EXCEPTION,
    "nonfinite": _NOT_FINITE,
    "none": _kinds(NONE),
    "empty": _kinds(EMPTY),
    "zero": ("python-callback-opaque", *_ZERO),
    "wrong_value": (
        "python-callback-opaque",
        *_kinds(EVERY_CALL, FIRST_CALL, UPDATE, APPLIED, CHANGED_VALUE, SIDE_EFFECT),
    ),
    "slow": _kinds(RETRACED),
}
