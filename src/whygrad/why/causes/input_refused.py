"""input-refused: a library's object, such as a Keras layer, raises an error of its own about what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from whygrad.ops.primitive import Record
from whygrad.runtime.call_sites import Scope, scope_of, scope_of_maker
from whygrad.values.tensor import Tensor, key_of
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import refused_call
from whygrad.why.evidence.trace import current
from whygrad.why.source.sites import Site, site

_MOST = 4  # of the values given that are shown


def explain(error: BaseException, trace: TracebackType) -> Cause | None:
    """The cause, if the error was raised by a library's object that the user's innermost frame called."""
    call = refused_call(trace) if isinstance(error, ValueError | TypeError) else None
    if call is None:
        return None
    what = call.scope.what
    given = call.given
    note = " with ".join(_described(each) for each in given[:_MOST])
    makers = [maker for each in given if (maker := _maker_of(each, call.scope)) is not None]
    places = [_made(maker, what) for maker in dict.fromkeys(makers)]
    if makers and len(given) == 1:
        help = f"{makers[0].what} gives {note}: change it so that it gives what {what} takes, or put a layer between them that reshapes it"
    elif (labels := _other_form_of_labels(call.scope, given) or _axes_too_many(call.scope, given)) is not None:
        help = labels
    else:
        help = f"compare these shapes with what {what} takes"
    failed = site(call.code, call.instruction, "failed here" if call.is_direct else "called here", note)
    return Cause(
        "input-refused",
        "exception",
        f"{what} refuses its input: {_message(error)}",
        (failed, *[place for place in places if place is not None]),
        help,
        {} if not note else {what: note},
    )


def _other_form_of_labels(scope: Scope, given: Sequence[Any]) -> str | None:
    """What to do about labels in one of the two forms that classes have, given to a loss that takes the other."""
    if len(given) < 2 or "categorical_crossentropy" not in scope.what:
        return None
    labels, predicted = (tuple(each.shape) for each in given[:2])
    if "sparse" in scope.what and labels == predicted and len(labels) > 1:
        return "the labels are one-hot: use the loss without `sparse_`, or pass class ids, as np.argmax(labels, axis=-1) gives them"
    if "sparse" not in scope.what and labels in (predicted[:-1], (*predicted[:-1], 1)):
        return (
            "the labels are class ids: use the loss with `sparse_` before its name, or one-hot labels, as "
            "keras.utils.to_categorical(labels) gives them"
        )
    return None


def _axes_too_many(scope: Scope, given: Sequence[Any]) -> str | None:
    """What to do about a model's output that has axes which the labels lack, as that of a convolution."""
    if len(given) < 2 or not scope.what.startswith("loss "):
        return None
    labels, predicted = (tuple(each.shape) for each in given[:2])
    if len(predicted) <= len(labels) + ("sparse" in scope.what):
        return None
    return (
        f"the model gives {predicted} for labels of shape {labels}: put a Flatten or a pooling layer before its last layer, or return the "
        "last step of a sequence only"
    )


def _message(error: BaseException) -> str:
    """What the error says, without the words that a library put around it when it raised it again."""
    text = str(error)
    while (before := error.__context__) is not None and (inner := str(before)) and inner in text:
        error, text = before, inner
    return " ".join(text.split("\n\n")[0].split())


def _described(value: Any) -> str:
    dtype = getattr(value.dtype, "name", value.dtype)
    return f"{dtype} {tuple(value.shape)}"


def _maker_of(value: Any, besides: Scope) -> Scope | None:
    """The library's object that computed a value, other than the one that refuses it."""
    if not isinstance(value, Tensor):
        return scope_of_maker(value)
    trace = current()
    if trace is None:
        return None
    key, made_by = key_of(value), trace.history().made_by
    while isinstance(record := made_by.get(key), Record):
        found = scope_of(record.code)
        if found is not None and found.what and found is not besides:
            return found
        if len(record.inputs) != 1:  # such as a cast or a reshape
            return None
        key = record.inputs[0]
    return None


def _made(maker: Scope, what: str) -> Site | None:
    return (
        None if maker.made is None else site(*maker.made, "made here", f"{maker.what}, whose output goes into {what}")
    )
