"""Arguments that an op, a tape or Python itself cannot take: a None, a word, a dtype, an index, a tensor as a number."""

from __future__ import annotations

import ast
from types import TracebackType

import numpy as np

from whygrad.ops.advice import of_two_values
from whygrad.values import dtypes
from whygrad.values.faults import (
    DtypeNotAllowed,
    ItemAssigned,
    ManyNumbers,
    ManyTruthValues,
    NeedsPersistentTape,
    NoElements,
    NoneGiven,
    NotAnIndex,
    NotAWord,
    NotReturnable,
    NotWatchable,
    TapeNotRecording,
    TapeRecording,
    UnconnectedGradientsUnknown,
    UnexpectedArgument,
    VariableItemAssigned,
    VariableMadeAgain,
    VariablesNotAccepted,
)
from whygrad.why.cause import Cause
from whygrad.why.causes.explanation import Explanation, explains
from whygrad.why.evidence.failed_op import FailedOp, Operand, last_frame, users_frame
from whygrad.why.source import syntax
from whygrad.why.source.edits import Repair, replaced
from whygrad.why.source.sites import node_at, site
from whygrad.why.source.tensor_functions import numpys_take_tensors
from whygrad.why.source.wording import listed, quoted

KIND = "invalid-argument"


# -- what is not a tensor --


@explains(NoneGiven)
def _none(op: FailedOp, fault: NoneGiven) -> Explanation | None:
    given = [each for each in op.operands if each.value is None and each.node is not None]
    if not given:
        return None
    return Explanation(
        KIND,
        "None is not a tensor" if given[0].text == "None" else f"{given[0].quoted} is None, not a tensor",
        "where it should be a gradient, the warning before this error says why there is none; where a function made it, "
        "let the function return it",
    )


@explains(NotWatchable)
def _watched(op: FailedOp, fault: NotWatchable) -> Explanation | None:
    given = op.operand("tensor")
    if given is None:
        return None
    return Explanation(
        KIND,
        f"{given.quoted} is not a tensor: a tape can watch only tensors and variables",
        f"make it a tensor first, and compute with that: x = tf.constant({given.text})",
    )


@explains(NotReturnable)
def _returned(op: FailedOp, fault: NotReturnable) -> Explanation | None:
    return Explanation(
        KIND,
        "",
        "return tensors, numbers, None, or lists, tuples and dicts of those; other values are known outside the function as well",
    )


@explains(VariablesNotAccepted)
def _variables(op: FailedOp, fault: VariablesNotAccepted) -> Explanation | None:
    names = listed([each.removesuffix(":0") for each in fault.variables[:_MOST_NAMES]])
    several = len(fault.variables) > 1
    of_arguments = "the gradient of its argument" if fault.arguments == 1 else "the gradients of its arguments"
    return Explanation(
        KIND,
        f"{quoted(fault.function)} reads the variable{'s' if several else ''} {names}, and its gradient function has no parameter "
        f"`variables`, for {'their gradients' if several else 'its gradient'}",
        f"let it take ({', '.join(fault.parameters)}, variables=None), and return a pair: {of_arguments}, and a list with one gradient for "
        f"each of `variables`; or pass {names} to {quoted(fault.function)} as {'arguments' if several else 'an argument'}",
    )


_MOST_NAMES = 3


# -- words and states --


@explains(NotAWord)
def _word(op: FailedOp, fault: NotAWord) -> Explanation | None:
    """A word that is none of an argument's words."""
    meant = [each for each in fault.allowed if each.lower() == fault.given.lower()]
    help = f'write it "{meant[0]}"' if meant else f"{fault.parameter} is one of {', '.join(fault.allowed)}"
    return Explanation(KIND, "", help)


@explains(UnexpectedArgument)
def _kind(op: FailedOp, fault: UnexpectedArgument) -> Explanation | None:
    """An argument of another kind than its parameter takes."""
    given = op.operand(fault.parameter)
    if given is None:
        return None
    article = "an" if fault.expected[0] in "aeiou" else "a"
    sentence = f"{given.quoted} cannot be used as `{fault.parameter}`, which takes {article} {fault.expected}"
    return Explanation(KIND, sentence, f"pass {article} {fault.expected}; this is {fault.shown}")


@explains(UnconnectedGradientsUnknown)
def _unconnected(op: FailedOp, fault: UnconnectedGradientsUnknown) -> Explanation | None:
    return Explanation(KIND, "", 'write "none", or "zero" to get zeros instead of None')


@explains(NeedsPersistentTape)
def _persistent(op: FailedOp, fault: NeedsPersistentTape) -> Explanation | None:
    return Explanation(
        KIND,
        f"with {fault.option} a jacobian takes the gradients of its tape several times, and this tape gives them once",
        f"make the tape with tf.GradientTape(persistent=True), or leave out {fault.option}: all rows then take one sweep",
    )


@explains(TapeNotRecording)
def _at_rest(op: FailedOp, fault: TapeNotRecording) -> Explanation | None:
    return Explanation(KIND, "", "do it inside the tape's with block")


@explains(TapeRecording)
def _entered_twice(op: FailedOp, fault: TapeRecording) -> Explanation | None:
    return Explanation(KIND, "", "a tape is entered once at a time: make another with tf.GradientTape()")


# -- dtypes and indices --


@explains(DtypeNotAllowed)
def _not_taken(op: FailedOp, fault: DtypeNotAllowed) -> Explanation | None:
    """A dtype that the op does not take at all."""
    found = op.operand(*_ALSO_CALLED.get(fault.parameter, (fault.parameter,)))
    if found is None:
        found = next((each for each in op.operands if _has_dtype(each, fault.dtype)), None)
    if found is None:
        return None
    sentence = f"{found.quoted} is {fault.dtype.name}, which {_named(op, fault)} does not take"
    meant = _function_of_two(op, found)
    if meant is not None:
        return meant
    if found.is_number and "float" in fault.allowed and fault.dtype.is_integer:
        return Explanation(KIND, sentence, f"write it as a float: {found.text}.0")
    if fault.dtype is dtypes.string:
        help = _number_in_place_of(found, fault.allowed)
    elif "float" in fault.allowed:
        help = f"cast it to float: tf.cast({found.text}, tf.float32)"
        if fault.dtype.is_integer:
            help += ", or write 1.0 for 1 where it is made"
    elif "int32" in fault.allowed:
        help = f"it takes integers: tf.cast({found.text}, tf.int32)"
    elif "bool" in fault.allowed:
        help = f"it takes bools: compare with something, such as {found.primary} > 0"
    else:
        help = ""
    return Explanation(KIND, sentence, help, found if found.is_array else None)


def _number_in_place_of(text: Operand, allowed: tuple[str, ...]) -> str:
    """What to do about a string, given to an op that takes numbers."""
    dtype, number = ("float32", "a number") if "float" in allowed else ("int32", "an integer")
    if isinstance(text.node, ast.Constant):
        return f"give {number}"
    return f"give {number}: tf.strings.to_number({text.text}, tf.{dtype}) reads it"


def _has_dtype(operand: Operand, dtype: dtypes.DType) -> bool:
    if isinstance(operand.value, str | bytes):
        return dtype is dtypes.string
    return operand.is_array and dtypes.as_dtype(operand.value.dtype) is dtype


def _function_of_two(op: FailedOp, axis: Operand) -> Explanation | None:
    """For a reduction that is given a value as its axis: the function of two values."""
    node = op.node
    function = of_two_values.get(syntax.called_name(node) or "") if isinstance(node, ast.Call) else None
    if function is None or not isinstance(node, ast.Call) or axis.parameter != "axis" or len(node.args) != 2:
        return None
    text = f"{function}({', '.join(map(ast.unparse, node.args))})"
    return Explanation(
        KIND,
        f"{axis.quoted} is given to {ast.unparse(node.func)} as its axis, an integer",
        f"use {text} for two values, element by element",
        axis if axis.is_array else None,
        (replaced(op.code.co_filename, node, text),),
    )


_ALSO_CALLED = {"indices": ("indices", "ids")}  # by functions that look up with `tf.gather`


def _named(op: FailedOp, fault: DtypeNotAllowed) -> str:
    """The op as the user called it."""
    return ast.unparse(op.node.func) if isinstance(op.node, ast.Call) else fault.op or "the op"


@explains(NotAnIndex)
def _no_index(op: FailedOp, fault: NotAnIndex) -> Explanation | None:
    tensor = op.indexed
    if tensor is None:
        return None
    index = op.in_order[1] if len(op.arrays) > 1 else None
    if index is not None and not index.shape:
        help = f"an index is an integer: tf.cast({index.text}, tf.int32)"
    else:
        help = "indices are integers and slices; tf.gather takes a list of positions, tf.boolean_mask a mask"
    return Explanation(KIND, f"{tensor.quoted} cannot be indexed this way: {str(fault).splitlines()[0]}", help)


# -- tensors where Python wants one value, or none to be changed --


@explains(ManyTruthValues)
def _truth(op: FailedOp, fault: ManyTruthValues) -> Explanation | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None:
        return None
    return Explanation(
        KIND,
        f"{value.quoted} has shape {value.shape}: a condition needs one truth value, and each element has its own",
        f"say which: tf.reduce_all({value.text}) or tf.reduce_any({value.text})",
    )


@explains(ManyNumbers)
def _number(op: FailedOp, fault: ManyNumbers) -> Explanation | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None or not value.shape:
        return None
    return Explanation(
        KIND,
        f"{value.quoted} has shape {value.shape}: it is not a single number",
        f"reduce it first, as tf.reduce_mean({value.text}) does, or take one element of it",
    )


@explains(NoElements)
def _scalar(op: FailedOp, fault: NoElements) -> Explanation | None:
    (value,) = op.arrays[:1] or (None,)
    if value is None:
        return None
    return Explanation(
        KIND,
        f"{value.quoted} is a scalar, shape (): it has no elements to iterate over or count",
        f"check where its axes were summed over or indexed away, or make it a vector: tf.reshape({value.text}, [1])",
    )


def item_assigned(fault: ItemAssigned, frame: TracebackType) -> Cause | None:
    """An assignment to an element of a tensor or a variable, `x[0] = 1.0`."""
    place = (frame.tb_frame.f_code, frame.tb_lasti)
    node = node_at(*place)
    if not isinstance(node, ast.Subscript):
        return None
    name, of_numpys = ast.unparse(node.value), numpys_take_tensors()
    if isinstance(fault, VariableItemAssigned):
        sentence = f"{quoted(name)} is a variable: its elements are changed by assign"
        repair = Repair(f"write {ast.unparse(node)}.assign(...)")
    else:
        what = (
            "holds what is differentiated, and its elements"
            if of_numpys
            else "is a tensor, and the elements of a tensor"
        )
        sentence = f"{quoted(name)} {what} never change"
        repair = _in_place_of_assignment(node, frame, of_numpys)
    return Cause(KIND, "exception", sentence, (site(*place, "assigned to here"),), repair.help, edits=repair.edits)


def _in_place_of_assignment(node: ast.Subscript, frame: TracebackType, of_numpys: bool) -> Repair:
    """How to make a new value in place of writing into one."""
    name = ast.unparse(node.value)
    statement = syntax.statement_of(node)
    if _is_chosen_by_loop(node):
        stack = "np.stack" if of_numpys else "tf.stack"
        return Repair(f"collect the values in a list in place of {quoted(name)}, and join them with {stack}")
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        made = _made_anew(node, ast.unparse(statement.value), frame, of_numpys)
        if made:
            written = f"{name} = {made}"
            return Repair(
                f"make a new one: {written}", (replaced(frame.tb_frame.f_code.co_filename, statement, written),)
            )
    if of_numpys:
        return Repair(
            f"make a new one: np.where(mask, new, {name}) chooses by element, np.concatenate joins parts; collect elements "
            "in a list and join them with np.stack"
        )
    return Repair(
        f"make a new one, with tf.tensor_scatter_nd_update({name}, indices, updates) or tf.where; collect elements in a list "
        "and join them with tf.stack"
    )


def _is_chosen_by_loop(node: ast.Subscript) -> bool:
    """Whether a loop counts through the elements that are written."""
    loops = [each for each in syntax.around(node) if isinstance(each, ast.For)]
    counted = {part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name)}
    return any(isinstance(each, ast.Name) and each.id in counted for each in ast.walk(node.slice))


def _made_anew(node: ast.Subscript, value: str, frame: TracebackType, of_numpys: bool) -> str:
    """The expression that chooses by a mask, or joins the rows before and after those that are written, and a value in their place.

    "" where the rows are not written as numbers, or where the value is repeated to fit.
    """
    inside = last_frame(frame)
    given = {} if inside is None else inside.f_locals
    if not {"self", "key", "value"} <= {*given}:
        return ""
    shape, key = given["self"].shape, given["key"]
    name, shape_of_value = ast.unparse(node.value), np.shape(given["value"])
    if getattr(key, "dtype", None) == np.bool_ and key.shape == shape and shape_of_value in ((), shape):
        return f"{'np' if of_numpys else 'tf'}.where({ast.unparse(node.slice)}, {value}, {name})"
    parts = _parts_around(name, node.slice, value)
    if not parts or shape_of_value != np.broadcast_to(0, tuple(shape))[key].shape:
        return ""
    return f"np.concatenate([{parts}])" if of_numpys else f"tf.concat([{parts}], axis=0)"


def _parts_around(name: str, index: ast.expr, value: str) -> str:
    """What stands before some rows, their new value, and what stands after them; "" where the rows are not written as numbers."""
    if isinstance(index, ast.Slice):
        first, end = _number_of(index.lower), _number_of(index.upper)
        if index.step is not None or first is None or end is None:
            return ""
    else:
        first, value = _number_of(index), f"[{value}]"
        if first is None:
            return ""
        end = first + 1
    before, after = f"{name}[:{first}]" if first else "", f"{name}[{end}:]" if end else ""
    return ", ".join([each for each in (before, value, after) if each])


def _number_of(node: ast.expr | None) -> int | None:
    """The integer that an index is written as; 0 where a slice leaves it out."""
    try:
        value = 0 if node is None else ast.literal_eval(node)
    except ValueError:
        return None
    return value if type(value) is int else None


def variable_made_again(error: BaseException, fault: VariableMadeAgain, frame: TracebackType) -> Cause:
    """A compiled function that makes a variable at each call."""
    called = site(frame.tb_frame.f_code, frame.tb_lasti, "called here")
    place = fault.place
    if place is None and error.__context__ is not None and (stopped := users_frame(error.__context__.__traceback__)):
        place = stopped.tb_frame.f_code, stopped.tb_lasti
    return Cause(
        KIND,
        "exception",
        "a function that tf.function compiles makes a variable at each call, which would begin anew each time",
        (*(() if place is None else (site(*place, "made here"),)), called),
        "make the variable once, before the function: as a global, or in the `__init__` of the object whose method this is, or only if "
        "the attribute that keeps it is still None",
    )
