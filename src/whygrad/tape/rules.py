"""One rule: called with the arguments that its parameters name, and what it gives checked against its input."""

from __future__ import annotations

import functools
from typing import Any

from whygrad.ops.partial import Rows, Slot
from whygrad.ops.primitive import Pull, Record
from whygrad.runtime.call_sites import At
from whygrad.tape.cotangents import Array, Cotangents, TensorCotangents
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.faults import CotangentMisfit
from whygrad.values.tensor import Key, Tensor, wrap


def run_rule(pull: Pull, record: Record, g: Any, cotangents: Cotangents) -> Any:
    """Call a rule with the arguments that its parameters name."""
    primitive = record.plan.primitive
    as_tensors = primitive.takes_tensors and type(cotangents) is not TensorCotangents
    arguments = [argument_of(source, record, cotangents, as_tensors) for source in pull.arguments]
    if as_tensors:
        g = tuple([each if each is None else wrap(each) for each in g]) if type(g) is tuple else wrap(g)
        gxs = pull.rule(cotangents.xp, g, *arguments)
        return [_bare(gx) for gx in gxs]
    if primitive.takes_tensors or primitive.from_outside:
        with At(None):  # the rule may be the user's Python, whose ops have their own call sites
            return pull.rule(cotangents.xp, g, *arguments)
    return pull.rule(cotangents.xp, g, *arguments)


def _bare(gx: Any) -> Any:
    """What a rule gave on Tensors, as the arrays that the sweep adds up."""
    if type(gx) is Rows:
        return Rows(*[convert(part)._array for part in gx])
    return convert(gx)._array if isinstance(gx, Tensor) else gx


def argument_of(source: Any, record: Record, cotangents: Cotangents, as_tensors: bool) -> Any:
    """One argument of a rule; see `Pull.arguments`."""
    if type(source) is int:
        kept = record.kept[source]  # type: ignore[index]
        if as_tensors:
            return kept
        value = cotangents.kept(kept)
        return _conjugated(value, cotangents) if record.plan.primitive.conjugates else value
    if type(source) is str:
        return record.attributes[source]
    index, field = source
    if index == -1:
        return tuple([getattr(key, field) for key in record.inputs])
    return getattr(record.inputs[index], field)


def _conjugated(value: Any, cotangents: Cotangents) -> Any:
    if type(value) is tuple:
        return tuple([_conjugated(each, cotangents) for each in value])
    dtype = (value._array if isinstance(value, Tensor) else value).dtype
    return cotangents.xp.conj(value) if dtype.kind == "c" else value


def accept(record: Record, key: Key, gx: Any, cotangents: Cotangents) -> Any:
    """The cotangent of an input, summed back over broadcasting; an error unless it has its tensor's shape and dtype."""
    kind = type(gx)
    if kind is Rows or kind is Slot:
        return gx
    array = gx._array if isinstance(gx, Tensor) else gx
    if array.shape != key.shape and record.plan.primitive.broadcasts and _may_be_repeated(key.shape, array.shape):
        if _both_grew(record, array.shape) and record not in cotangents.broadcasts:
            cotangents.broadcasts.append(record)
        gx = unbroadcast(cotangents.xp, gx, array.shape, key.shape)
        array = gx._array if isinstance(gx, Tensor) else gx
    if array.shape != key.shape or array.dtype != key.dtype:
        raise wrong_cotangent(record, key, array)
    return gx


def _may_be_repeated(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether broadcasting can make an array of shape `to` of one of `shape`."""
    return len(shape) <= len(to) and all(size in (1, wide) for size, wide in zip(reversed(shape), reversed(to)))


def _both_grew(record: Record, shape: tuple[int, ...]) -> bool:
    """Whether two operands were both repeated by broadcasting, which is seldom meant; `shape` is the cotangent's."""
    output = record.output
    return (
        len(record.inputs) == 2
        and type(output) is Key
        and output.shape == shape  # not so for products of matrices, where only the batches broadcast
        and record.inputs[0].shape != output.shape
        and record.inputs[1].shape != output.shape
    )


def unbroadcast(xp: Any, g: Any, given: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """The cotangent, of shape `given`, of an input of `shape` that was broadcast: summed over what broadcasting repeated."""
    axes = _repeated_axes(given, shape)
    total = xp.sum(g, axis=axes)
    return total if len(given) == len(shape) + len(axes) else xp.reshape(total, shape)


@functools.lru_cache(maxsize=256)
def _repeated_axes(given: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    extra = len(given) - len(shape)
    return (*range(extra), *[extra + i for i, size in enumerate(shape) if size == 1 and given[extra + i] != 1])


def wrong_cotangent(record: Record, key: Key, array: Array) -> Exception:
    """The rule of `record` gave a gradient that does not fit its input."""
    return invalid(
        CotangentMisfit(
            primitive=record.plan.primitive.name,
            shape=array.shape,
            dtype=array.dtype,
            wanted=key.shape,
            wanted_dtype=key.dtype,
        )
    )


def blame(error: Exception, record: Record) -> None:
    """Let an exception say which op's rule it came from (the innermost one, if sweeps are nested), and what the rule was given."""
    if not hasattr(error, "record"):
        error.record = record._replace(kept=list(record.kept or ()))  # type: ignore[attr-defined]
