"""The traced versions of one function, keyed by shapes and dtypes of tensors and by the Python values among its arguments."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any

import numpy as np

from whygrad.compile import conversion, function_type, trace_listeners
from whygrad.compile.compiled_call import Executable
from whygrad.compile.control_flow import BACKWARD
from whygrad.compile.graph_nodes import Computation, Computed, Operation
from whygrad.compile.quick_call import quick_call
from whygrad.compile.replay import Program, ShapeVaries
from whygrad.compile.signature import (
    BY_VALUE,
    HoldsComposite,
    Inputs,
    Place,
    Same,
    describe,
    fill,
    packer,
    returned,
    with_tensors,
    with_variables,
)
from whygrad.compile.tracing import Traced, VariableMade, trace
from whygrad.engines.loading import engine
from whygrad.ops.scopes import get_logger
from whygrad.runtime.call_sites import is_ours, spoken_name
from whygrad.runtime.prints import without_prints
from whygrad.values import nest
from whygrad.values.conversion import convert
from whygrad.values.errors import Explained, OpError, OpTypeError, OpValueError, first_raised
from whygrad.values.faults import CompositeReturned, QueueUsed, StringsComputed, Uncompilable, VariableMadeAgain
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import PrivateValues, state
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import DeviceTensor, SymbolicTensor, Tensor
from whygrad.values.variable import Variable

# Values that are compared by value, or may contain tensors, are described in full.
_NOT_OWNERS = (*BY_VALUE, list, tuple, dict, np.ndarray, np.generic, IndexedSlices)


_ANY = convert(0, None)  # any tensor
_KEPT = 64  # number of versions for variables, and of calls that take the fast path; they are made again quickly

# The recent calls of the functions made last from the same Python, before the present one.
_recent_calls_of: weakref.WeakKeyDictionary[Any, collections.deque[collections.deque[bool]]] = (
    weakref.WeakKeyDictionary()
)


def _code_of(function: Any) -> CodeType | Any:
    return getattr(getattr(function, "__func__", function), "__code__", type(function))


_LOGGED_AT_MOST = 2  # times for each Python function, as on TensorFlow
_logged: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def _log_retracing(function: Callable[..., Any]) -> None:
    """Tell TensorFlow's logger, where programs look for it, of a function that is traced too often."""
    code, logger = _code_of(function), get_logger()
    _logged[code] = _logged.get(code, 0) + 1
    # Without handlers the Python warning alone reaches the terminal.
    if _logged[code] <= _LOGGED_AT_MOST and logger.hasHandlers():
        logger.warning(
            "%d of the last %d calls to %r triggered tf.function retracing. Tracing is expensive: the RetracingWarning names the "
            "argument that changed.",
            trace_listeners.TRACES_TOO_MANY,
            trace_listeners.RECENT_CALLS,
            function,
        )


def _reference(owner: Any) -> Callable[[], Any]:
    return _no_owner if owner is None else weakref.ref(owner)


def _no_owner() -> None:
    return None


def _key_of_nested(args: tuple[Any, ...], tensors: list[Tensor]) -> tuple[Any, ...] | None:
    """A key for arguments of tensors in plain tuples, lists and dicts, like `describe`'s, but found in a fraction of its time.

    None for other arguments. The tensors are added to `tensors`, in the order of `describe`.
    """
    parts: list[Any] = []
    return tuple(parts) if _add_key(args, parts, tensors) else None


def _add_key(value: Any, parts: list[Any], tensors: list[Tensor]) -> bool:
    kind = type(value)
    if kind is Tensor or kind is DeviceTensor:
        array = value._array
        parts.append(array.shape)
        parts.append(array.dtype)
        tensors.append(value)
        return True
    if kind is tuple or kind is list:
        parts.append((kind, len(value)))
        return all(_add_key(each, parts, tensors) for each in value)
    if kind is dict:
        names = tuple(value)
        if any(type(name) is not str for name in names):
            return False
        parts.append((dict, names))
        return all(_add_key(value[name], parts, tensors) for name in sorted(names))
    if kind is str or kind is int or kind is bool or value is None:
        parts.append((kind, value))
        return True
    return False


class _Flat:
    """A Python function from the tensors among its arguments to those of its result.

    Traces keep it. It does not refer to the `Specialization`, which keeps the trace: a function that is dropped leaves no cycle.
    """

    def __init__(
        self, python: Callable[..., Any], structure: Any, results: Any = None, checks_values: bool = True
    ) -> None:
        self._python = python
        self.checks_values = checks_values  # whether each call checks what the program asserts of values
        self._structure = structure  # of the arguments
        self.results = results  # the structure of the last result, with a `Place` for each tensor

    def __call__(self, *tensors: Tensor) -> list[Tensor]:
        args, kwargs = fill(self._structure, tensors)
        before = _contents((args, kwargs))
        if state.context is not None:
            state.context.named_inputs = _named_inputs(self._python, args, kwargs)
            state.context.checks_values &= self.checks_values
        found: list[Tensor] = []
        self.results = returned(self._python(*args, **kwargs), found)
        _check_unmodified(self._python, before)
        return found


def _named_inputs(python: Callable[..., Any], args: Any, kwargs: Any) -> list[tuple[Any, str]]:
    """Return the arrays of the symbolic tensors among some arguments, with the names that TensorFlow prints for them."""
    try:
        given = inspect.signature(python).bind_partial(*args, **kwargs).arguments
    except (TypeError, ValueError):  # of a class without a signature
        return []
    found: list[tuple[Any, str]] = []
    taken: collections.Counter[str] = collections.Counter()
    for name, value in given.items():
        for part in nest.flatten(value):
            if type(part) is SymbolicTensor:
                found.append((part._array, f"{name}_{taken[name]}:0" if taken[name] else f"{name}:0"))
                taken[name] += 1
    return found


class GraphTensor(TensorSpec):
    """An input or a result of a concrete function: shape, dtype, and the name that it has in TensorFlow's graph, such as `x:0`."""

    __slots__ = ("op",)

    def __init__(self, spec: TensorSpec, op: Operation) -> None:
        super().__init__(spec.shape, spec.dtype, f"{op.name}:0")
        self.op = op

    def __reduce__(self) -> tuple[Any, ...]:
        return GraphTensor, (TensorSpec(self.shape, self.dtype), self.op)

    def __str__(self) -> str:
        return f'Tensor("{self.name}", shape={self.shape}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


class Graph:
    """The operations of a traced function, for programs that count or list them. There is no TensorFlow graph."""

    # What it has in common with its concrete function.
    _SHARED = (
        "inputs",
        "outputs",
        "structured_outputs",
        "structured_input_signature",
        "variables",
        "trainable_variables",
    )

    def __init__(self, concrete: Any, name: str, node: list[Operation]) -> None:
        self._concrete = concrete
        self.name = name
        self.node = node

    def get_operations(self) -> list[Operation]:
        """Return the operations, in order."""
        return list(self.node)

    def as_graph_def(self, add_shapes: bool = False) -> Graph:
        """Return the object itself: its operations are in `node`."""
        return self

    def __getattr__(self, name: str) -> Any:
        if name in Graph._SHARED:
            return getattr(self._concrete, name)
        raise AttributeError(
            f"a traced function has no TensorFlow graph, and so no `graph.{name}`: it has `get_operations`, "
            f"`{'`, `'.join(Graph._SHARED)}`",
            name=name,
            obj=self,
        )

    def __repr__(self) -> str:
        return f"FuncGraph(name={self.name}, id={id(self)})"


class Specialization:
    """A function traced for one kind of arguments."""

    makes_variables: tuple[CodeType, int] | None  # where the trace created a variable, if it did
    is_differentiable = True  # whether tapes can differentiate through it
    inputs: list[TensorSpec]  # the tensors among the arguments
    outputs: list[TensorSpec]  # the tensors that it returns
    variables: list[Variable]  # the variables that it uses

    def __init__(
        self,
        owner: Specializations,
        structure: Any,
        tensors: Sequence[Any],
        variables: Sequence[Variable],
        followed: Sequence[Tensor] = (),
    ) -> None:
        self._python = self._python_of(owner)
        # It is traced with placeholders for the variables among its arguments, because it serves all variables of their kind.
        self._placeholders = [variable.placeholder() for variable in variables]
        self.structure = with_variables(structure, dict(zip(variables, self._placeholders)))  # of the arguments
        function_type.check_identifiers(structure[1])
        self._objects = [each for each in nest.flatten(self.structure) if isinstance(each, Same)]
        self._for_variables: dict[tuple[Same, ...], Specialization] = {}
        self._flat = _Flat(self._python, self.structure, checks_values=not owner.must_compile)
        self.inputs = [TensorSpec(each.shape, each.dtype) for each in tensors]
        self._trace(owner.name, tensors, followed)

    @staticmethod
    def tensors_among() -> list[Tensor]:
        """The list to which `describe` adds the tensors that become inputs."""
        return []

    def _python_of(self, owner: Specializations) -> Callable[..., Any]:
        """The Python function, in the form that is traced."""
        return owner.traced_function

    def _trace(self, name: str, tensors: Sequence[Any], followed: Sequence[Tensor]) -> None:
        """Run the Python function once, on symbolic tensors like `tensors`."""
        raise NotImplementedError

    def _run(self, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return the tensors of the result."""
        raise NotImplementedError

    @property
    def watched_outside(self) -> list[Tensor]:
        """The tensors that the trace treated as constants, but that a tape watches now."""
        return []

    @property
    def computation(self) -> Computation:
        """The ops that were traced."""
        return Computation((), (), ())

    def of_variables(self, structure: Any, variables: Sequence[Variable]) -> Specialization | None:
        """Return the version for arguments with these variables; None if it uses one of them already, by another name."""
        if not variables:
            return self
        key = tuple(map(Same, variables))
        found = self._for_variables.get(key)
        if found is None:
            if not set(variables).isdisjoint(self.variables):
                return None
            found = copy.copy(self)
            found.structure = structure
            found._flat = _Flat(self._python, structure, self.results, self._flat.checks_values)
            found._use(dict(zip(self._placeholders, variables)))
            if len(self._for_variables) >= _KEPT:  # they keep their variables alive
                self._for_variables.clear()
            self._for_variables[key] = found
        return found

    def _use(self, variables: dict[Variable, Variable]) -> None:
        """Use variables in place of the placeholders."""
        self.variables = [variables.get(each, each) for each in self.variables]

    def is_alive(self) -> bool:
        """Return whether the objects that it was traced for still exist."""
        return all(same.object is not None for same in self._objects)

    @property
    def results(self) -> Any:
        """The structure of the result, with a `Place` for each tensor."""
        return self._flat.results

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        return fill(self._flat.results, self._run(tensors))

    def for_values(self) -> Callable[[Sequence[Tensor]], Any]:
        """Return what calls it where no recorder is active."""
        return self.__call__

    def quick(self) -> Callable[[tuple[Any, ...]], Any] | None:
        """Return what calls it with tensors that may be of another kind; see `quick_call`."""
        return None


class Compiled(Specialization):
    """A function compiled by XLA."""

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        return self._pack(self._executable(tensors))  # without `_run` between: small calls take a few microseconds

    def _trace(self, name: str, tensors: Sequence[Any], followed: Sequence[Tensor]) -> None:
        engine()
        self._traced: Traced = trace(name, self._flat, [tensor._array for tensor in tensors], followed)
        self._executable = Executable(self._traced)
        self._pack = packer(self.results)
        self.makes_variables = self._traced.makes_variables
        self.is_differentiable = self._traced.is_differentiable
        variables = self._traced.jaxpr.outvars[: self._traced.results]
        self.outputs = [TensorSpec(each.aval.shape, each.aval.dtype) for each in variables]
        read = [capture.variable for capture in self._traced.captures if capture.variable is not None]
        self.variables = list(dict.fromkeys([*read, *self._traced.updates]))

    def _run(self, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        return self._executable(tensors)

    def for_values(self) -> Callable[[Sequence[Tensor]], Any]:
        """Return what calls it where no recorder is active."""
        return self._executable.for_values(self._pack) or self.__call__

    def quick(self) -> Callable[[tuple[Any, ...]], Any] | None:
        """Return what calls it with tensors that may be of another kind; see `quick_call`."""
        return quick_call(self._executable, self.results)

    def _use(self, variables: dict[Variable, Variable]) -> None:
        super()._use(variables)
        self._executable = self._executable.for_variables(variables)

    @property
    def watched_outside(self) -> list[Tensor]:
        """The tensors that the trace treated as constants, but that a tape watches now."""
        return self._traced.watched_outside

    @property
    def computation(self) -> Computation:
        """The ops that were traced."""
        jaxpr = self._traced.jaxpr
        ops = [
            Computed(each.primitive.name, list(map(id, each.invars)), list(map(id, each.outvars)))
            for each in jaxpr.eqns
        ]
        results = jaxpr.outvars[: self._traced.results]
        return Computation(list(map(id, jaxpr.invars[: len(self.inputs)])), ops, list(map(id, results)))


class InPython(Specialization):
    """A function whose Python runs at each call: one that cannot be traced, because a shape depends on values."""

    def _python_of(self, owner: Specializations) -> Callable[..., Any]:
        return owner.python_function

    def _trace(self, name: str, tensors: Sequence[Any], followed: Sequence[Tensor]) -> None:
        self.makes_variables, self.outputs, self.variables = None, [], []

    def _run(self, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        return self._flat(*tensors)

    def __call__(self, tensors: Sequence[Tensor]) -> Any:
        outputs = self._run([convert(tensor, None) for tensor in tensors])
        return fill(self.results, outputs)


class Replayed(InPython):
    """A function that runs op by op; without JAX, and where ops are to be seen."""

    @staticmethod
    def tensors_among() -> list[Tensor]:
        """The list to which `describe` adds the tensors that become inputs, strings among them."""
        return Inputs()

    def _python_of(self, owner: Specializations) -> Callable[..., Any]:
        return owner.traced_function

    def _trace(self, name: str, tensors: Sequence[Any], followed: Sequence[Tensor]) -> None:
        self._name = name
        program = Program(name, self._flat, [tensor._array for tensor in tensors])
        self._program: Program | None = program
        self._in_place: dict[Variable, Variable] = {}  # variables in place of the placeholders
        self.makes_variables = program.makes_variables
        self.outputs = [TensorSpec(each.shape, each.dtype) for each in program.body.results]
        self.variables = program.variables

    def _run(self, tensors: Sequence[Tensor]) -> Sequence[Tensor]:
        if self._program is not None:
            try:
                return self._program.run(tensors, self._in_place)
            except ShapeVaries:
                self._program = None
                _notify_as_python(self._name, "The shape of a result depends on values.")
            except OpError:
                with PrivateValues():  # in its own Python the op fails at its own line; nothing is assigned
                    self._flat(*tensors)
                raise
        return self._flat(*tensors)

    @property
    def computation(self) -> Computation:
        """The ops that were traced."""
        return super().computation if self._program is None else self._program.computation

    def _use(self, variables: dict[Variable, Variable]) -> None:
        super()._use(variables)
        self._in_place = variables


def _notify_as_python(name: str, reason: str, error: Exception | None = None) -> None:
    for listener in trace_listeners.runs_as_python_listeners:
        listener(trace_listeners.RunsAsPython(name, reason, error))


class _OpenConcrete(threading.local):
    """The function that this thread calls, or traces again, for an open concrete function."""

    owner: Specializations | None = None


_open_concrete = _OpenConcrete()


class Specializations:
    """All traced versions of a function, each created on first use."""

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any,
        kind: type[Specialization] = Compiled,
        must_compile: bool = False,
        may_run_as_python: bool = True,
        autograph: tuple[str, ...] | None = (),
    ) -> None:
        self._kind = kind
        self._autograph = autograph  # the optional features of AutoGraph; None if the function is never converted
        self._converted: Callable[..., Any] | None = None  # its converted form, once it is needed
        self.must_compile = must_compile  # whether what cannot be compiled is an error
        self._may_run_as_python = may_run_as_python and not must_compile
        self.python_function = python_function
        self.name = spoken_name(python_function)
        self.traced = 0  # how many times the Python function was traced
        # The same, by the object whose method it is.
        self._traced_for: collections.Counter[Same] = collections.Counter()
        self.signature = None if input_signature is None else list(input_signature)
        self._made: dict[Any, Specialization] = {}
        # Held while the function is traced or creates its variables: one trace for each kind of arguments, one set of variables.
        # Another function may be traced meanwhile, in another thread.
        self.lock = threading.RLock()
        # By shapes and dtypes, and by the object whose method it is: the version, and that object.
        self._fast: dict[tuple[Any, ...], tuple[Callable[[Sequence[Tensor]], Any], Callable[[], Any]]] = {}
        # What calls the only version in `_fast`, as long as there is one.
        self.quick: Callable[[tuple[Any, ...]], Any] | None = None
        self._inlined: set[Any] = set()  # the kinds of arguments for which it was traced inside other functions
        # The kinds of arguments whose first call ran eagerly, to create variables.
        self._ran_as_python: set[Any] = set()
        self._told_of_tapes = False  # whether listeners know that it runs as Python under tapes
        # Whether each recent call traced it.
        self._recent: collections.deque[bool] = collections.deque(maxlen=trace_listeners.RECENT_CALLS)
        # The kinds of arguments of the recent traces.
        self._kinds: collections.deque[dict[str, Any]] = collections.deque(maxlen=trace_listeners.TRACES_TOO_MANY)
        # Whether it computes strings or returns ragged tensors: then its Python is called as it stands. As constants, strings would
        # mean a trace for each of them.
        self._is_plain_python = False
        # The concrete functions that the program holds, by the arguments that they were made for.
        self.concretes: weakref.WeakValueDictionary[Any, Any] = weakref.WeakValueDictionary()

    @functools.cached_property
    def parameters(self) -> inspect.Signature:
        """The parameters of the Python function."""
        return inspect.signature(self.python_function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Fast path: all arguments are tensors, except perhaps a method's `self`. Steps of a few microseconds are called this way.
        quick: tuple[Any, ...] | None = None
        if not kwargs and state.context is None:
            owner = None
            parts: list[Any] = []
            for arg in args:
                kind = type(arg)
                if kind is Tensor or kind is DeviceTensor:
                    array = arg._array
                    parts.append(array.shape)
                    parts.append(array.dtype)
                elif arg is args[0] and not isinstance(arg, _NOT_OWNERS):
                    owner = arg
                    parts.append(id(arg))
                else:
                    break
            else:
                quick = tuple(parts)
                found = self._fast.get(quick)
                if found is not None and not state.recorders:
                    if owner is None:
                        return found[0](args)
                    if found[1]() is owner:
                        return found[0](args[1:])
        nested: list[Tensor] = []  # the tensors among arguments that are structures
        if quick is None and not kwargs and state.context is None and (key := _key_of_nested(args, nested)) is not None:
            found = self._fast.get(key)
            if found is not None and not state.recorders:
                return found[0](nested)
        else:
            key = None
        special, tensors, result = self._find(args, kwargs)
        if special is None:
            return result
        if state.recorders:
            if outside := special.watched_outside:
                special = self._with_inputs(outside, args, kwargs)
            if not special.is_differentiable and any(each.differentiates for each in state.recorders):
                special = self._under_tapes(args, kwargs)
        if quick is not None and len(tensors) == len(args) - (owner is not None) and self._is_settled():
            self._remember(quick, special, owner, is_flat=True)
        elif key is not None and list(map(id, nested)) == list(map(id, tensors)) and self._is_settled():
            self._remember(key, special, None, is_flat=False)
        return special(tensors)

    def _remember(self, key: tuple[Any, ...], special: Specialization, owner: Any, is_flat: bool) -> None:
        """Take the fast path from now on."""
        if len(self._fast) >= _KEPT:
            self._fast.clear()
        self._fast[key] = special.for_values(), _reference(owner)
        self.quick = special.quick() if is_flat and owner is None and len(self._fast) == 1 else None

    def _forget_calls(self) -> None:
        self._fast.clear()
        self.quick = None

    def _find(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Specialization | None, list[Tensor], Any]:
        """Return the version for some arguments and the tensors among them; or None, and the result of running eagerly."""
        args, kwargs = self._arguments(args, kwargs)
        tensors = self._kind.tensors_among()
        variables: list[Variable] = []
        if self._is_plain_python and state.context is None:
            return None, tensors, self._run_as_python(args, kwargs)
        try:
            key, structure = describe((args, kwargs), tensors, variables)
        except HoldsComposite:
            return None, tensors, self._run_as_python(args, kwargs)
        if state.context is not None:  # inside another function: part of its trace
            if key not in self._inlined:
                self._inlined.add(key)
                self._count_trace(structure)
            if conversion.active.on:
                self._convert()
            with state.context.own_random_ops():
                return None, tensors, self.traced_function(*args, **kwargs)
        special = self._made.get(key)
        is_new = False
        if special is None:
            with self.lock:
                is_new = key not in self._made  # another thread may have traced it while this one waited
                try:
                    special = self._specialize(key, structure, tensors, variables)
                except VariableMade:
                    if key in self._ran_as_python:
                        raise OpValueError(VariableMadeAgain(place=None)) from None
                    self._ran_as_python.add(key)
                    from whygrad.ops.random_streams import StreamsOfFunction, with_streams

                    # Few functions make variables. The initial values are drawn as in the trace that TensorFlow takes them from.
                    python = functools.partial(self.python_function, *args, **kwargs)
                    return None, tensors, with_streams(StreamsOfFunction(), python)
        if self._is_plain_python:
            return None, tensors, self._run_as_python(args, kwargs)
        if is_new:
            self._notify_trace(args, kwargs)
        else:
            self._recent.append(False)
        return self._of_variables(special, key, structure, tensors, variables), tensors, None

    def _run_as_python(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        result = self.python_function(*args, **kwargs)
        return with_tensors(result) if state.context is None else result

    def _of_variables(
        self, special: Specialization, key: Any, structure: Any, tensors: Sequence[Any], variables: list[Variable]
    ) -> Specialization:
        """Return the version for these variables. One that the function uses also by another name needs a trace of its own."""
        found = special.of_variables(structure, variables)
        if found is None:
            found = self._specialize((key, *map(Same, variables)), structure, tensors, [])
        return found

    @contextlib.contextmanager
    def _tracing(self, structure: Any, again: bool = False) -> Iterator[None]:
        """Count the trace that is made in this block.

        TensorFlow makes none `again` for other sizes that a signature leaves open, nor for a tape outside: it is not counted then, and
        what its Python prints is dropped.
        """
        first = next(iter(structure[0]), None)
        seen = self._traced_for[first] if type(first) is Same else self.traced
        if again or (seen and (self.signature is not None or _open_concrete.owner is self)):
            with without_prints():
                yield
        else:
            self._count_trace(structure)
            yield

    @contextlib.contextmanager
    def for_other_sizes(self) -> Iterator[None]:
        """In this block the function is traced for sizes that a concrete function leaves open, after a first trace for it."""
        before, _open_concrete.owner = _open_concrete.owner, self
        try:
            yield
        finally:
            _open_concrete.owner = before

    def _count_trace(self, structure: Any) -> None:
        self.traced += 1
        first = next(iter(structure[0]), None)
        if type(first) is Same:
            self._traced_for[first] += 1

    def traced_for(self, instance: Any) -> int:
        """Return how many times it was traced as a method of this object."""
        return self._traced_for[Same(instance)]

    def _is_settled(self) -> bool:
        """Return whether no recent call traced. Only then do calls take the fast path, and are no longer counted."""
        return True not in list(self._recent)[-3:]

    def _notify_trace(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Notify listeners of a new trace, with the recent traces if there were many."""
        if not self._recent:
            others = _recent_calls_of.setdefault(
                _code_of(self.python_function), collections.deque(maxlen=trace_listeners.TRACES_TOO_MANY - 1)
            )
            # A library makes a new function for each of its objects, as Keras does for each model that is compiled.
            made_each_call = (
                len(others) == others.maxlen
                and all(list(each) == [True] for each in others)
                and not is_ours(getattr(_code_of(self.python_function), "co_filename", ""))
            )
            others.append(self._recent)
        else:
            made_each_call = False
        self._recent.append(True)
        self._forget_calls()
        arguments = self.parameters.bind(*args, **kwargs).arguments
        self._kinds.append(
            {name: describe(value, self._kind.tensors_among(), [])[0] for name, value in arguments.items()}
        )
        kinds = list(self._kinds) if sum(self._recent) >= trace_listeners.TRACES_TOO_MANY else []
        new = trace_listeners.NewTrace(self.name, self.python_function, arguments, kinds, made_each_call)
        for listener in trace_listeners.listeners:
            listener(new)
        if new.is_too_often:
            _log_retracing(self.python_function)

    def _specialize(
        self, key: Any, structure: Any, tensors: Sequence[Any], variables: Sequence[Variable]
    ) -> Specialization:
        with self.lock:
            special = self._made.get(key)
            if special is None:
                with self._tracing(structure):
                    special = self._version(structure, tensors, variables)
                    if special.makes_variables:  # the variables exist now: a second trace creates none
                        self._count_trace(structure)
                        special = self._version(structure, tensors, variables)
                if special.makes_variables:
                    raise OpValueError(VariableMadeAgain(place=special.makes_variables))
                self._made = {each: made for each, made in self._made.items() if made.is_alive()}
                self._made[key] = special
            return special

    def _version(
        self, structure: Any, tensors: Sequence[Any], variables: Sequence[Variable], followed: Sequence[Tensor] = ()
    ) -> Specialization:
        """Trace the function; if only TensorFlow could compile it, return a version that runs as Python, with a warning.

        Where Python needs the value of a tensor, the function is converted by AutoGraph and traced again.
        """
        if self._may_convert and conversion.meets_tensors(self.python_function, self._tensors_by_name(structure)):
            self._convert()  # so that its Python runs once
        while True:
            try:
                return self._kind(self, structure, tensors, variables, followed)
            except Explained as error:
                if self._may_convert and conversion.would_help(error) and self._convert():
                    error.__traceback__ = None
                    continue
                reason = first_raised(error)
                if not self._may_run_as_python or not isinstance(reason.fault, Uncompilable):
                    raise
                _notify_as_python(self.name, str(reason), error)
                self._is_plain_python = isinstance(reason.fault, StringsComputed | CompositeReturned | QueueUsed)
                error.__traceback__ = None  # its frames hold the tensors of the trace
                return InPython(self, structure, tensors, variables)

    # -- AutoGraph --

    @property
    def traced_function(self) -> Callable[..., Any]:
        """The Python function, or its converted form once that is needed."""
        return self._converted or self.python_function

    @property
    def _may_convert(self) -> bool:
        return (
            self._autograph is not None
            and self._converted is None
            and conversion.is_convertible(conversion.unwrapped(self.python_function))
        )

    def _convert(self) -> bool:
        """Convert the function from now on; return whether that is possible."""
        if self._may_convert:
            self._converted = conversion.convert(self.python_function, self._autograph or ())
        return self._converted is not None

    def _tensors_by_name(self, structure: Any) -> dict[str, Any]:
        """The arguments by parameter, with a tensor for each `Place`."""

        def shown(each: Any) -> Any:
            return _ANY if type(each) is Place else each.object if type(each) is Same else each

        return dict(self.by_name(*nest.map_structure(shown, structure)).arguments)

    def _with_inputs(self, outside: list[Tensor], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Specialization:
        """Return the version that takes these outside tensors as inputs, so that tapes can differentiate through it."""
        args, kwargs = self._arguments(args, kwargs)
        tensors = self._kind.tensors_among()
        variables: list[Variable] = []
        key, structure = describe((args, kwargs), tensors, variables)
        with self.lock, self._tracing(structure, again=True):
            special = self._made[key] = self._version(structure, tensors, variables, outside)
            self._forget_calls()
        return self._of_variables(special, key, structure, tensors, variables)

    def _under_tapes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Specialization:
        """Return a version for tapes of a function that they cannot differentiate when it is compiled: it runs as Python."""
        args, kwargs = self._arguments(args, kwargs)
        tensors = self._kind.tensors_among()
        variables: list[Variable] = []
        _, structure = describe((args, kwargs), tensors, variables)
        if not self._told_of_tapes:
            self._told_of_tapes = True
            _notify_as_python(self.name, BACKWARD)
        return InPython(self, structure, tensors, [])

    def _arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments in a canonical form."""
        if self.signature is not None:
            return self._apply_signature(args, kwargs), {}
        return self.in_order(args, kwargs)

    def in_order(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments in the order of the parameters, with the defaults of those that are left out."""
        if kwargs or len(args) != len(self.parameters.parameters):
            bound = self._bound(args, kwargs)
            bound.apply_defaults()
            return bound.args, bound.kwargs
        return args, kwargs

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """Return the arguments by parameter."""
        try:
            return self.parameters.bind(*args, **kwargs)
        except TypeError as error:
            raise self.not_bound(str(error), args, kwargs) from None

    def not_bound(self, reason: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> OpTypeError:
        """Return the error for arguments that do not fit."""
        taken = function_type.of_function(self.python_function, self.signature)
        return OpTypeError(
            f"Binding inputs to tf.function failed due to `{reason}`. Received args: {args} and kwargs: {kwargs} for signature: {taken}."
        )

    def _apply_signature(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Convert the arguments to the tensors that `input_signature` specifies."""
        bound = self._bound(args, kwargs)
        specs = self.signature or []
        first = int(next(iter(self.parameters.parameters), None) == "self")
        if len(bound.args) - first > len(specs):
            raise OpTypeError(
                f"{self.name}: input_signature describes {len(specs)} arguments, but {len(bound.args) - first} were given"
            )
        bound.apply_defaults()
        given = bound.args
        end = first + len(specs)
        try:
            converted = list(map(function_type.cast, specs, given[first:end]))
        except TypeError as error:
            raise self.not_bound(str(error), args, kwargs) from None
        # Arguments that the signature leaves out have their default values.
        return (*given[:first], *converted, *given[end:])

    def version_for(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Specialization]:
        """Return the version for some arguments, traced if need be, and its key."""
        args, kwargs = self._arguments(args, kwargs)
        tensors = self._kind.tensors_among()
        variables: list[Variable] = []
        key, structure = describe((args, kwargs), tensors, variables)
        special = self._made.get(key) or self._specialize(key, structure, tensors, variables)
        return key, self._of_variables(special, key, structure, tensors, variables)

    @property
    def versions(self) -> dict[Any, Specialization]:
        """All versions, by their keys."""
        return self._made

    def by_name(self, args: Sequence[Any], kwargs: dict[str, Any]) -> inspect.BoundArguments:
        """Return some of the arguments, by parameter."""
        return self.parameters.bind_partial(*args, **kwargs)


def _contents(arguments: Any) -> list[tuple[Any, list[Any]]]:
    """The lists, dicts and other containers among some arguments, each with what it holds."""
    found, pending = [], [arguments]
    while pending:
        container = pending.pop()
        if nest.is_nested(container):
            found.append((container, list(nest.children_of(container))))
            pending.extend(found[-1][1])
    return found


def _check_unmodified(python_function: Callable[..., Any], before: list[tuple[Any, list[Any]]]) -> None:
    """Raise, as TensorFlow does, if a function changed a list or dict among its arguments: the caller's would not change."""
    for container, held in before:
        holds = nest.children_of(container)
        if len(holds) != len(held) or any(new is not old for new, old in zip(holds, held)):
            name = getattr(python_function, "__name__", repr(python_function))
            raise OpValueError(
                f"{name} should not modify its Python input arguments. Check if it modifies any lists or dicts passed as "
                "arguments. Modifying a copy is allowed."
            )
