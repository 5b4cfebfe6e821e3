"""Primitives: what every op is made of, and how one is recorded.

A `Primitive` is a name, a forward function over plain arrays and, for each differentiable input, a rule. The names of a
rule's parameters say what it needs, and so what is kept for the backward pass:

    xp, g            always first: the array namespace, and the cotangent of the output
    x                an input, by the name the forward function gives it
    y                the output (a tuple of them if there are several)
    x_shape, x_dtype shape or dtype of an input, which costs nothing to keep
    axis             an attribute, by its name (keyword-only in the forward function)

Forward functions and rules are plain array code. In a first-order sweep a rule runs on bare arrays with `xp` the engine;
when an outer tape is recording, the same rule runs on Tensors with `xp` the recorded namespace.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export, place_of
from whygrad.engines.numpy import engine
from whygrad.ops.fast_ops import OUTPUT_BIT, fast_op
from whygrad.ops.partial import Rows
from whygrad.ops.traits import NO_TRAITS, Traits, elementwise
from whygrad.runtime.call_sites import frame_at, is_ours, users_frame_above
from whygrad.runtime.code_objects import parameters, rename
from whygrad.runtime.error_state import is_busy, restore, silence
from whygrad.values import dtypes
from whygrad.values.conversion import convert, readers
from whygrad.values.errors import OpError, OpTypeError, OpValueError, ResourceExhaustedError, invalid, shape_text
from whygrad.values.faults import (
    AxisOutOfRange,
    DtypeNotAllowed,
    DtypesDiffer,
    IncompatibleShapes,
    StringsComputed,
    literal,
)
from whygrad.values.recorders import observers, state
from whygrad.values.tensor import Key, Tensor, key_of, placement, wrap

Array = Any
Rule = Callable[..., Any]

_registry: dict[str, Primitive] = {}

# What array code raises for operands it cannot take; `refused` says it with the op and the operands.
REFUSALS = (OpError, ValueError, TypeError, IndexError, ArithmeticError, MemoryError, np.linalg.LinAlgError)


class Pull:
    """One rule of a plan: which input it is for, and where its arguments come from."""

    __slots__ = ("arguments", "input", "rule")

    def __init__(self, input: int, rule: Rule, arguments: tuple[Any, ...]) -> None:
        self.input = input
        self.rule = rule
        # Each an int: position in `kept`; a str: an attribute; a pair (int, field): shape or dtype of an input.
        self.arguments = arguments


def pass_on(xp: Any, g: Any) -> Any:
    """The rule of an input whose cotangent is the cotangent of the output."""
    return g


class Plan:
    """What to keep and which rules to run when a given set of a primitive's inputs is watched by a tape."""

    __slots__ = (
        "differentiates", "general", "joint", "keep", "keep_output", "keeps", "maps_shapes", "passed_shape",
        "passed_wide", "primitive", "pulls", "steps", "watches",
    )  # fmt: skip

    def __init__(self, primitive: Primitive, watched: Sequence[int], fast: bool = True) -> None:
        self.primitive = primitive
        self.keep: tuple[int, ...] = ()
        self.keep_output = False
        self.keeps = 0  # the same for ops on one or two tensors, as a sum of bits: 1 << i for input i, and OUTPUT_BIT
        self.joint: Pull | None = None
        self.pulls: tuple[Pull, ...] = ()
        # The same plan for records that the fast sweep leaves to the reference: of complex numbers, of several outputs. None
        # where that is this plan: a plan that refers to itself would outlive its last record.
        self.general: Plan | None = None
        # What the fast sweep remembers (`whygrad.tape.fast_sweep`): the rules in the form that it reads, whether they see nothing but
        # arrays and are whygrad's own, and a shape which, where inputs and output have it, it has seen them turn into itself, in float32
        # and in float64.
        self.steps: tuple[tuple[int, Any, int], ...] | None = None if fast else ()
        self.maps_shapes = False
        self.passed_shape: tuple[int, ...] | None = None
        self.passed_wide: tuple[int, ...] | None = None
        self.differentiates = False  # whether this plan has any rule
        # Whether the tape watches the outputs. It does so after an op without a gradient too: they can be sources.
        self.watches = bool(watched) and not primitive.stops_watching
        if primitive.no_gradient is not None or not watched:
            return
        rules = [(0, primitive.joint)] if primitive.joint else [(i, primitive.rules[i]) for i in watched]
        wanted = [(i, rule, _parameters(rule)[0]) for i, rule in rules if rule is not None]
        names = {name for _, _, parameters in wanted for name in parameters}
        if primitive.variadic is None:
            self.keep = tuple(i for i, name in enumerate(primitive.inputs) if name in names)
        elif primitive.variadic in names:
            self.keep = (-1,)  # all inputs, as one tuple
        self.keep_output = "y" in names
        self.keeps = sum([1 << i for i in self.keep if i >= 0]) + (OUTPUT_BIT if self.keep_output else 0)
        pulls = tuple(Pull(i, rule, tuple(self._source_of(name) for name in params)) for i, rule, params in wanted)
        if primitive.joint:
            self.joint = pulls[0]
        else:
            self.pulls = pulls
            if fast:
                self.general = Plan(primitive, watched, fast=False)
        self.differentiates = bool(pulls)

    def _source_of(self, name: str) -> Any:
        primitive = self.primitive
        if name == "y":
            return len(self.keep)
        if primitive.variadic is not None:
            if name == primitive.variadic:
                return 0
            if name == primitive.variadic + "_shapes":
                return (-1, "shape")
        elif name in primitive.inputs:
            return self.keep.index(primitive.inputs.index(name))
        else:
            stem, _, field = name.rpartition("_")
            if field in ("shape", "dtype") and stem in primitive.inputs:
                return (primitive.inputs.index(stem), field)
        return name


@export("extend.Primitive")
class Primitive:
    """An op as the tape knows it: forward function, rules, and what to say where it has no gradient."""

    __slots__ = (
        "_declared_at", "broadcasts", "conjugates", "forward", "from_outside", "inputs", "joint", "keeps_plans", "name", "no_gradient",
        "op_name", "plans", "rules", "sparse", "stops_watching", "takes_none", "takes_tensors", "traits", "variadic",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any] | str,
        *,
        vjp: Rule | Sequence[Rule | None] | None = None,
        joint: Rule | None = None,
        no_gradient: str | None = None,
        stops_watching: bool = False,
        op_name: str | None = None,
        inputs: Sequence[str] = (),
        broadcasts: bool = False,
        conjugates: bool = True,
        takes_tensors: bool = False,
        takes_none: bool = False,
        traits: Traits = NO_TRAITS,
        sparse: Callable[[Any, Rows, Record], Sequence[Any] | None] | None = None,
        register: bool = True,
        keeps_plans: bool = True,
    ) -> None:
        """
        name         ours: "multiply"; `op_name` is TensorFlow's ("Mul"), for messages
        forward      `f(xp, *inputs, **attributes)`, or the name of a function of `xp` (then `inputs` names its inputs)
        vjp          a rule for each input (None: no gradient for that one); a single rule where there is one input
        joint        instead: one rule that returns a cotangent, or None, for every input
        no_gradient  the sentence shown when a gradient is asked through an op that has none
        stops_watching  tapes do not watch what the op makes, also where they watch what it takes: `stop_gradient`
        broadcasts   the inputs broadcast, and so cotangents are summed back to their inputs' shapes
        conjugates   the function is holomorphic and real on the real axis: for complex values its rules are handed the
                     conjugates of what was kept, which makes `g * cos(x)` the right rule for complex sin as well
        takes_tensors  rules work on Tensors in every sweep (custom gradients)
        takes_none   for unused outputs, among several, rules receive None instead of zeros
        traits       what explanations and the batched sweep know about the op
        sparse       a rule for a sparse cotangent of the output, called with `xp`, the `Rows` and the record: what each input gets,
                     or None where that is not sparse; without it the rows are made dense for the other rules
        keeps_plans  whether plans are kept for further calls; an op that is made for one call holds none, because a plan
                     refers to its op, and what the op's rule refers to would live until the garbage collector runs
        """
        if (vjp is None) + (joint is None) + (no_gradient is None) != 2:
            raise OpTypeError(f"{name}: give exactly one of vjp, joint and no_gradient")
        self.name = name
        self.op_name = op_name or name.title().replace("_", "")
        self.variadic: str | None = None
        if isinstance(forward, str):
            self.inputs = tuple(inputs) or (("x",) if callable(vjp) or vjp is None else ("a", "b")[: len(vjp)])
        elif inputs:
            self.inputs = tuple(inputs)
        else:
            self.inputs, self.variadic = _parameters(forward)
        self.forward = forward
        self.rules: tuple[Rule | None, ...] = (vjp,) if callable(vjp) else tuple(vjp or ())
        self.joint = joint
        self.no_gradient = no_gradient
        self.stops_watching = stops_watching
        self.broadcasts = broadcasts
        self.conjugates = conjugates
        self.takes_tensors = takes_tensors
        self.takes_none = takes_none
        self.traits = traits
        self.sparse = sparse
        self.keeps_plans = keeps_plans
        self.plans: dict[int, Plan] = {}
        caller = frame_at(1)
        while caller.f_back and caller.f_code.co_filename == __file__:
            caller = caller.f_back
        # Users may declare an op again, as a notebook does when a cell runs twice.
        self.from_outside = not is_ours(caller.f_code.co_filename)
        self._declared_at = caller.f_code, caller.f_lasti  # finding the line takes longer than all the rest of this
        if register:
            if name in _registry and not _registry[name].from_outside:
                raise OpValueError(f"primitive {name!r} is declared twice: {_registry[name].place} and {self.place}")
            if self.rules and self.variadic is None and len(self.rules) != len(self.inputs):
                raise OpTypeError(f"{name}: {len(self.inputs)} inputs but {len(self.rules)} rules")
            _registry[name] = self

    def __repr__(self) -> str:
        return f"<Primitive {self.name}>"

    @property
    def place(self) -> str:
        """The file and line of its declaration."""
        code, instruction = self._declared_at
        line = next(itertools.islice(code.co_positions(), instruction // 2, None))[0]
        return f"{os.path.basename(code.co_filename)}:{line}"

    def plan(self, mask: int) -> Plan:
        """The plan for the inputs whose bits are set in `mask`."""
        if self.joint is not None:
            mask = 1 if mask else 0  # one rule for all inputs
        plan = self.plans.get(mask)
        if plan is None:
            watched = [i for i in range(mask.bit_length()) if mask >> i & 1]
            plan = Plan(self, watched)
            if self.keeps_plans:
                self.plans[mask] = plan
        return plan


class Record(NamedTuple):
    """One op as a tape remembers it."""

    plan: Plan
    inputs: tuple[Key, ...]
    output: Key | tuple[Key, ...]
    # Tensors that the rules need, let go by the sweep; () where they need none, None if no watched tensor went in.
    kept: list[Any] | tuple[()] | None
    attributes: dict[str, Any]
    code: CodeType  # the user's code object and the instruction in it: file, line and columns are worked out on demand
    instruction: int

    @property
    def traits(self) -> Traits:
        """What is known about the op."""
        return self.plan.primitive.traits


# What recorders are handed: plan, output, kept, attributes, code and instruction of a Record, followed by its inputs. A plain
# tuple is made in a third of a Record's time, and without a second one for the inputs there is less for Python's garbage
# collector to visit, which takes most of the time of a long tape.
RawRecord = tuple[Any, ...]
OUTPUT, KEPT, ATTRIBUTES, CODE, INPUTS = 1, 2, 3, 4, 6  # where they stand or begin


def record_of(raw: RawRecord) -> Record:
    """A record by its names."""
    fields = (raw[0], raw[INPUTS:], raw[OUTPUT], raw[KEPT], raw[ATTRIBUTES], raw[4], raw[5])
    return _named(Record, fields)  # called for every op under a trace: the constructor takes twice as long


_named = tuple.__new__


def outputs_in(raw: RawRecord) -> tuple[Key, ...]:
    """The outputs of what a recorder was handed, one or several."""
    output = raw[OUTPUT]
    return output if type(output) is tuple else (output,)


def registered() -> dict[str, Primitive]:
    """The primitives by name, of those families of ops that are loaded."""
    return dict(_registry)


@export("extend.apply")
def apply(primitive: Primitive, *inputs: Tensor, **attributes: Any) -> Tensor:
    """Compute a primitive on tensors, and notify this thread's recorders.

    The result is a tuple if the forward function returns one.

    >>> import whygrad as tf
    >>> from whygrad import extend
    >>> scaled = extend.Primitive("scaled", lambda xp, x, *, by: x * by, vjp=lambda xp, g, by: g * by)
    >>> extend.apply(scaled, tf.constant([1.0, 2.0]), by=3).numpy()
    array([3., 6.], dtype=float32)
    """
    forward = primitive.forward
    xp: Any = engine
    arrays: list[Array] = []
    for t in inputs:
        if type(t) is not Tensor:
            inputs = tuple([t if type(t) is Tensor else convert(t, None) for t in inputs])
            if state.context is not None and state.context.fusion is not None:
                return state.context.fusion.apply(primitive, inputs, attributes)  # type: ignore[no-any-return]
            arrays = [t._array for t in inputs]
            xp = engine_of(inputs)
            break
        arrays.append(t._array)
    token = silence()
    try:
        if xp is not engine:
            out = xp.compute(forward, arrays, attributes)
        elif type(forward) is str:
            out = getattr(engine, forward)(*arrays, **attributes)
        else:
            out = forward(engine, *arrays, **attributes)  # type: ignore[operator]
    except REFUSALS as error:
        raise refused(primitive, inputs, error) from None
    finally:
        restore(token)
    outputs: Any = tuple([wrap(o) for o in out]) if type(out) is tuple or type(out) is list else wrap(out)
    if state.recorders:
        record(primitive, inputs, outputs, attributes)
    return outputs  # type: ignore[no-any-return]


def engine_of(tensors: Sequence[Tensor]) -> Any:
    """The engine that computes with these tensors: NumPy's, unless one of them is placed on the other engine."""
    for tensor in tensors:
        if type(tensor) is not Tensor:
            return placement.engine
    return engine


apply_several: Callable[..., tuple[Tensor, ...]] = apply  # type: ignore[assignment]  # of a primitive whose forward function returns a tuple


def record(primitive: Primitive, inputs: tuple[Tensor, ...], outputs: Any, attributes: dict[str, Any]) -> None:
    """Notify this thread's recorders that `primitive` computed `outputs` from `inputs`."""
    frame, code = users_frame_above(4)  # above this call, `record`, `apply` and the op's function, most likely
    keys = (key_of(inputs[0]),) if len(inputs) == 1 else tuple([t._key or key_of(t) for t in inputs])
    output: Any = tuple([key_of(t) for t in outputs]) if type(outputs) is tuple else key_of(outputs)
    tell_recorders(primitive, state.recorders, inputs, keys, outputs, output, attributes, code, frame.f_lasti)


def tell_recorders(
    primitive: Primitive,
    recorders: tuple[Any, ...],
    inputs: tuple[Tensor, ...],
    keys: tuple[Key, ...],
    outputs: Any,
    output: Any,
    attributes: dict[str, Any],
    code: CodeType,
    instruction: int,
) -> None:
    """Append the op's record to these recorders, and show it to the observers."""
    several = type(output) is tuple
    for recorder in recorders:
        mark = recorder.mark
        mask = 0
        for i, key in enumerate(keys):
            if key.mark is mark or key in recorder.unmarked:
                mask |= 1 << i
        plan = primitive.plans.get(mask) or primitive.plan(mask)
        kept: list[Any] | tuple[()] | None = None
        if plan.differentiates:
            kept = ()
            if plan.keep:
                kept = [inputs] if plan.keep == _ALL_INPUTS else [inputs[i] for i in plan.keep]
            if plan.keep_output:
                kept = [*kept, outputs]
        if plan.watches:
            for key in output if several else (output,):
                kind = key.dtype.kind
                if kind in "fcV":
                    if key.mark is None:
                        key.mark = mark
                    else:
                        recorder.unmarked.add(key)
            # Of a complex input too, to a rule from outside: those of ours for which that matters ask for no conjugates.
            if several or kind == "c" or (primitive.from_outside and any(key.dtype.kind == "c" for key in keys)):
                plan = plan.general or plan
        made = (plan, output, kept, attributes, code, instruction, *keys)
        recorder.append(made)
    if observers:
        _show(made, inputs, outputs)


def _show(made: RawRecord, inputs: tuple[Tensor, ...], outputs: Any) -> None:
    for observer in observers:
        observer.computed(made, inputs, outputs)


_ALL_INPUTS = (-1,)


def _parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], str | None]:
    """The names of a forward function's or rule's parameters after `xp` and `g`, and the name of its `*args`."""
    names, variadic = parameters(function)
    return names[2 if names[1:2] == ("g",) else 1 :], variadic


def refused(primitive: Primitive, inputs: Sequence[Tensor], error: Exception) -> Exception:
    """What NumPy refused, said with the op and its operands."""
    if isinstance(error, OpError):
        return error
    if state.context is not None and isinstance(error, placement.engine.has_no_value):
        return state.context.value_wanted(primitive.op_name)  # type: ignore[no-any-return]
    arrays = [t._array for t in inputs]
    if state.context is not None and not state.context.replays and any(each.dtype.kind == "O" for each in arrays):
        return OpTypeError(StringsComputed(what=f"{primitive.op_name} computes with one and a symbolic tensor"))
    operands = ", ".join(f"{dtypes.of_array(a).name} {shape_text(a.shape)}" for a in arrays)
    if primitive.broadcasts and len(arrays) == 2:
        try:
            np.broadcast_shapes(arrays[0].shape, arrays[1].shape)
        except ValueError:
            return invalid(IncompatibleShapes(a=arrays[0].shape, b=arrays[1].shape, op=primitive.op_name))
    if isinstance(error, MemoryError):
        return ResourceExhaustedError(
            None, None, f"OOM when allocating a tensor: {error} (operands: {operands}) [Op:{primitive.op_name}]"
        )
    message = f"{primitive.op_name} cannot be computed: {error} (operands: {operands})"
    if isinstance(error, np.exceptions.AxisError) and error.axis is not None and error.ndim is not None:
        return invalid(AxisOutOfRange(axis=error.axis, rank=error.ndim, op=primitive.op_name, wording=literal(message)))
    return invalid(f"{message} [Op:{primitive.op_name}]")


# -- the two commonest kinds --

_KINDS = {
    "float": "fV",  # bfloat16's kind is V
    "float or complex": "fVc",
    "number": "fVciu",
    "number or string": "fVciuO",
    "real": "fViu",
    "integer": "iu",
    "bool": "b",
    "any": "fVciubO",
}
_ALLOWED_TEXT = {
    "float": "bfloat16, half, float, double",
    "float or complex": "bfloat16, half, float, double, complex64, complex128",
    "number": "bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, int64, uint64, complex64, complex128",
    "number or string": "bfloat16, half, float, double, uint8, uint16, uint32, uint64, int8, int16, int32, int64, complex64, complex128",
    "real": "bfloat16, half, float, double, uint8, int8, uint16, int16, int32, uint32, int64, uint64",
    "integer": "int8, int16, int32, int64, uint8, uint16, uint32, uint64",
    "bool": "bool",
}


@export("extend.check_dtype")
def check_dtype(tensor: Tensor, allowed: str, op_name: str) -> None:
    """Raise InvalidArgumentError unless the tensor's dtype is one of the `allowed` group.

    The groups are "float", "float or complex", "number", "number or string", "real", "integer", "bool" and "any".

    >>> import whygrad as tf
    >>> from whygrad import extend
    >>> extend.check_dtype(tf.constant(1.0), "float or complex", "Scaled")
    """
    if tensor._array.dtype.kind not in _KINDS[allowed]:
        names = tuple(_ALLOWED_TEXT[allowed].split(", "))
        raise invalid(DtypeNotAllowed(dtype=tensor.dtype, allowed=names, op=op_name))


def check_same_dtype(a: Tensor, b: Tensor, op_name: str) -> None:
    """Raise InvalidArgumentError unless both tensors have one dtype: there is no silent promotion."""
    if a._array.dtype != b._array.dtype:
        raise invalid(DtypesDiffer(wanted=a.dtype, dtype=b.dtype, op=op_name))


_FLOAT32, _FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
# Numbers that were operands, as tensors, by type and dtype and then by value: a program uses few, again and again.
_numbers: dict[tuple[type, np.dtype[Any]], dict[float, Tensor]] = {(float, _FLOAT32): {}, (float, _FLOAT64): {}}
_MOST_NUMBERS = 256  # of each kind


def number_beside(value: Any, tensor: Tensor) -> Tensor | None:
    """A Python number, the commonest operand, as a Tensor of another tensor's dtype, quickly; None for anything else."""
    kind = type(value)
    if kind is not float and kind is not int:
        return None
    dtype = tensor._array.dtype
    known = _numbers.get((kind, dtype))
    if known is None:
        known = _numbers[kind, dtype] = {}
    number = known.get(value)
    if number is not None and not observers:
        return number
    if kind is float:
        # Within these bounds nothing overflows, so NumPy does not warn; the general conversion silences it.
        is_common = -60000.0 < value < 60000.0 and dtype.kind in "fcV"
    else:
        is_common = -128 <= value <= 127 and dtype.kind in "fcVi"
    if not is_common:
        return None
    number = wrap(np.array(value, dtype))
    # Observers tell numbers apart by the op that they came in with. 0.0 equals -0.0, and would stand for it.
    if value and not observers:
        if len(known) >= _MOST_NUMBERS:
            known.clear()
        known[value] = number
    return number


def convert_operands(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Two operands as Tensors: an operand that is not a tensor takes the dtype of the one that is."""
    if type(x) in readers:
        x = convert(x, None)
    if type(y) in readers:
        y = convert(y, None)
    if type(x) is Tensor:
        if type(y) is Tensor:
            return x, y
        number = number_beside(y, x)
        if number is not None:
            return x, number
    elif type(y) is Tensor:
        number = number_beside(x, y)
        if number is not None:
            return number, y
    for known, other_first in ((x, False), (y, True)):
        dtype = getattr(known, "dtype", None)
        if type(dtype) is dtypes.DType:
            known = convert(known, None)
            other = convert(x if other_first else y, None if _has_dtype(x if other_first else y) else dtype)
            return (other, known) if other_first else (known, other)
    first = convert(x, None)
    return first, convert(y, first.dtype)


def _has_dtype(value: Any) -> bool:
    """Whether the value is a tensor, a variable or the like, which has a dtype already."""
    return type(getattr(value, "dtype", None)) is dtypes.DType


@export("extend.unary")
def unary(
    name: str,
    forward: Callable[..., Any] | str,
    *,
    doc: str = "",
    allowed: str = "float or complex",
    argument: str = "x",
    traits: Traits | None = None,
    exports: tuple[str, ...] = (),
    **declaration: Any,
) -> Callable[..., Tensor]:
    """Declare an op on one tensor, element by element; returns its public function `f(x, name=None)`.

    doc          its docstring
    allowed      the dtypes that it takes, as for `check_dtype`
    argument     the name of its argument
    exports      the public names of an op of whygrad's own
    declaration  as for `Primitive`: a rule `vjp` or the sentence `no_gradient`, and more

    >>> from whygrad import extend
    >>> cube = extend.unary("cube", lambda xp, x: x * x * x, vjp=lambda xp, g, x: g * (3 * x * x), doc="x cubed.")
    >>> cube([1.0, 2.0]).numpy()
    array([1., 8.], dtype=float32)
    """
    primitive = Primitive(name, forward, traits=elementwise(traits), **declaration)
    return _public(op_function(primitive, allowed, convert), name, doc, (argument,), exports)


@export("extend.binary")
def binary(
    name: str,
    forward: Callable[..., Any] | str,
    *,
    doc: str = "",
    allowed: str = "number",
    arguments: tuple[str, str] = ("x", "y"),
    operands: Callable[[Any, Any], tuple[Any, Any]] = convert_operands,
    traits: Traits | None = None,
    exports: tuple[str, ...] = (),
    **declaration: Any,
) -> Callable[..., Tensor]:
    """Declare an op on two tensors that broadcast; returns its public function `f(x, y, name=None)`.

    >>> from whygrad import extend
    >>> rules = (lambda xp, g, b: g * (b * b), lambda xp, g, a, b: g * (2 * a * b))
    >>> times_square = extend.binary("times_square", lambda xp, a, b: a * b * b, vjp=rules, doc="x y^2.")
    >>> times_square([1.0, 2.0], 3.0).numpy()
    array([ 9., 18.], dtype=float32)
    """
    primitive = Primitive(name, forward, broadcasts=True, traits=elementwise(traits), **declaration)
    return _public(op_function(primitive, allowed, operands), name, doc, arguments, exports)


def op_function(
    primitive: Primitive,
    allowed: str,
    operands: Callable[..., Any] = convert_operands,
    *,
    otherwise: Callable[..., Any] | None = None,
    general: Callable[..., Any] | None = None,
    compute: Callable[..., Array] | None = None,
    reflected: bool = False,
) -> Callable[..., Any]:
    """The function of a primitive on one tensor, or on two that broadcast.

    allowed    the dtypes that it takes, a key of `_KINDS`
    operands   makes tensors of the arguments; (NotImplemented, y) if y is the result already
    otherwise  computes what dtypes give that are not allowed; without it they are refused
    general    in place of all checks and `apply`: computes the op for operands that are tensors
    compute    the primitive on NumPy arrays, with checks of its own
    reflected  the function takes the right operand first, as `__rsub__` does
    """
    kinds = _KINDS[allowed]

    def apply_checked(*inputs: Any) -> Any:
        """The general form of the op, which its fast form leaves all but the commonest operands to."""
        if inputs[0] is NotImplemented:
            return inputs[1]
        if general is not None:
            return general(*inputs)
        if len(inputs) == 2:
            check_same_dtype(*inputs, primitive.op_name)
        if otherwise is not None and inputs[0]._array.dtype.kind not in kinds:
            return otherwise(*inputs)
        check_dtype(inputs[0], allowed, primitive.op_name)
        return apply(primitive, *inputs)

    form = "of_one_tensor" if len(primitive.inputs) == 1 else "of_two_reflected" if reflected else "of_two_tensors"
    return _fast_op(form, primitive, kinds, apply_checked, operands, compute or computation(primitive))


def op_with_attributes(primitive: Primitive, allowed: str, attributes: dict[str, Any]) -> Callable[[Tensor], Tensor]:
    """The op on one tensor with these attributes, to be called again and again by a function that the public one calls.

    Of dtypes that are not `allowed`, the caller has refused those that it should.
    """

    def apply_to(x: Tensor) -> Tensor:
        return apply(primitive, x, **attributes)

    compute = functools.partial(computation(primitive), **attributes)
    return _fast_op("with_attributes", primitive, _KINDS[allowed], apply_to, lambda x: x, compute, attributes)


def _fast_op(
    form: str,
    primitive: Primitive,
    kinds: str,
    general: Callable[..., Any],
    operands: Callable[..., Any],
    compute: Callable[..., Array],
    attributes: dict[str, Any] | None = None,
) -> Callable[..., Any]:
    return fast_op(
        form,
        general=general,
        operands=operands,
        compute=compute,
        failed=functools.partial(_after_failure, primitive),
        plan_for=primitive.plan,
        tell_recorders=functools.partial(tell_recorders, primitive),
        show=_show,
        kinds=kinds,
        usual=_FLOAT32 if "f" in kinds else None,
        wide=_FLOAT64 if "f" in kinds else None,
        attributes=attributes,
        usual_numbers=_numbers[float, _FLOAT32],
        wide_numbers=_numbers[float, _FLOAT64],
    )


def _after_failure(primitive: Primitive, error: Exception, compute: Callable[..., Any], *inputs: Tensor) -> Any:
    """The output, where `silently` failed because another call was running; otherwise raise what the op's error means."""
    if is_busy(error):
        token = silence()
        try:
            return compute(*[t._array for t in inputs])
        except REFUSALS as own:
            error = own
        finally:
            restore(token)
    if isinstance(error, REFUSALS):
        # Without its own traceback, in which the op would stand a second time.
        raise refused(primitive, inputs, error).with_traceback(None) from None
    raise error


def computation(primitive: Primitive) -> Callable[..., Any]:
    """The primitive's forward function on NumPy arrays."""
    forward = primitive.forward
    return getattr(engine, forward) if isinstance(forward, str) else functools.partial(forward, engine)


def _public(
    op: Callable[..., Tensor], name: str, doc: str, arguments: tuple[str, ...], exports: tuple[str, ...]
) -> Callable[..., Tensor]:
    """Give a declared op its name, its documentation and the names that its arguments have in TensorFlow."""
    op.__doc__ = doc
    op.__annotations__ = dict.fromkeys(arguments, "Any") | {"name": "str | None", "return": "Tensor"}
    rename(op, name, arguments=arguments)
    declared_in = frame_at(2).f_globals.get("__name__", "__main__")  # by the caller of `unary` or `binary`
    op.__module__, op.__qualname__ = place_of(exports[0]) if exports else (declared_in, name)  # pickled by these
    return op
