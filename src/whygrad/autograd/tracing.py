"""`trace`: nodes of the program's own kind for what a function computes.

A tracer is a recorder that observes values: it makes a node for each op whose operands have one. A function of `whygrad.autograd.numpy`,
and a primitive of the program's own, becomes one node, by its own name; operators, methods, and what a sweep computes become a node for
each op.
"""

from __future__ import annotations

import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.autograd.boxes import Box, boxed, getval, handle_of, is_object, new_handle, outside, vspace
from whygrad.functional.arguments import mode_for
from whygrad.numpy.promotion import tensor as as_numpy_does
from whygrad.ops.primitive import Primitive, apply, record_of
from whygrad.ops.shaping import identity
from whygrad.runtime.call_sites import frame_at
from whygrad.tape.cotangents import TensorCotangents
from whygrad.values import nest
from whygrad.values.recorders import ObservingRecorder, observers, state
from whygrad.values.tensor import Key, Tensor, key_of
from whygrad.values.variable import Variable


class Node:
    """What a trace makes for each function that is called with traced values. Programs write subclasses.

    `args` holds values; those at `parent_argnums` were traced, and `parents` are their nodes.
    """

    __slots__ = ()

    def __init__(self, value: Any, fun: Any, args: Any, kwargs: Any, parent_argnums: Any, parents: Any) -> None:
        raise NotImplementedError(f"{type(self).__name__} must define __init__")

    def initialize_root(self, *args: Any, **kwargs: Any) -> None:
        """Set up the node of the argument that a trace begins with."""
        raise NotImplementedError(f"{type(self).__name__} must define initialize_root")

    @classmethod
    def new_root(cls, *args: Any, **kwargs: Any) -> Any:
        """The node of the argument that a trace begins with."""
        root = cls.__new__(cls)
        root.initialize_root(*args, **kwargs)
        return root


# The functions of `whygrad.autograd.numpy`, for operators that are recorded as ops: `x + y` is `add`.
numpy_functions: dict[str, Callable[..., Any]] = {}
untraced: dict[type, set[Callable[..., Any]]] = {}  # by the kind of node: functions whose results are constants

_NUMPYS_NAMES = {
    "floor_div": "floor_divide",
    "floor_mod": "remainder",
    "reduce_max": "max",
    "reduce_mean": "mean",
    "reduce_min": "min",
    "reduce_prod": "prod",
    "reduce_sum": "sum",
    "matrix_cholesky": "cholesky",
    "matrix_determinant": "det",
    "matrix_inverse": "inv",
    "matrix_solve": "solve",
}


def register_notrace(trace_type: type, primitive_fun: Callable[..., Any]) -> None:
    """Take the results of a function for constants, in traces whose nodes are of this kind."""
    untraced.setdefault(trace_type, set()).add(primitive_fun)


def trace(start_node: Node, fun: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    """Call `fun(x)`, with a node of `start_node`'s class for each function on the way, and give the value and its node.

    >>> import whygrad.autograd.numpy as np
    >>> from whygrad.autograd.tracer import Node, trace
    >>> class Depth(Node):
    ...     def __init__(self, value, fun, args, kwargs, parent_argnums, parents):
    ...         self.depth = 1 + max(parent.depth for parent in parents)
    ...     def initialize_root(self):
    ...         self.depth = 0
    >>> value, node = trace(Depth.new_root(), lambda x: np.sum(np.sin(x) * x), np.array([1.0, 2.0]))
    >>> node.depth
    3
    """
    with mode_for([each for each in nest.flatten(x) if not is_object(each)]):
        tracer = Tracer(type(start_node))
        given = tracer.root(x, start_node)
        with tracer:
            result = fun(given)
            node = tracer.node_of(result)
        if node is None:
            warnings.warn("Output seems independent of input.", stacklevel=2)
        return outside(result), node


class Tracer(ObservingRecorder):
    """Makes the nodes of one call of `trace`."""

    differentiates = True  # sweeps are traced too
    looks_inside_functions = True

    def __init__(self, kind: type[Node]) -> None:
        super().__init__()
        self._kind = kind
        self._nodes: weakref.WeakKeyDictionary[Key, Any] = weakref.WeakKeyDictionary()
        # Parts of lists, tuples and dicts: the node of the whole and the path. They get a node when they are used.
        self._parts: weakref.WeakKeyDictionary[Key, tuple[Any, Any, Any]] = weakref.WeakKeyDictionary()
        self.unmarked = _Traced(self)
        self._thread = threading.get_ident()
        self.resting = 0  # while a function that becomes one node computes

    def __enter__(self) -> Tracer:
        state.recorders = (*state.recorders, self)
        observers.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        observers.remove(self)
        state.recorders = tuple([each for each in state.recorders if each is not self])

    def knows(self, key: Any) -> bool:
        """Whether a tensor has a node, or is part of something that has one."""
        return key in self._nodes or key in self._parts

    def root(self, x: Any, node: Node) -> Any:
        """What the function is called with in place of its argument."""
        given = nest.map_structure(_own, x)
        self._put(given, getval(x), node)
        return given

    def node_of(self, value: Any) -> Any:
        """The node of a value; None if it was not traced."""
        if isinstance(value, list | tuple) and any(self.node_of(each) is not None for each in value):
            return self._made(make_sequence, (type(value), *value), {}, outside(value))
        key = getattr(handle_of(value), "_key", None)
        if key is None:
            return None
        node = self._nodes.get(key)
        if node is None and key in self._parts:
            whole, inside, path = self._parts.pop(key)
            for step in path:
                part = inside[step]
                whole = self._kind(part, container_take, (inside, step), {}, (0,), (whole,))
                inside = part
            node = self._nodes[key] = whole
        return node

    def computed(self, raw: tuple[Any, ...], inputs: tuple[Tensor, ...], outputs: Any) -> None:
        """An op ran."""
        if self.resting or threading.get_ident() != self._thread or self not in state.recorders:
            return
        if _is_sum_of_cotangents():
            space = vspace(inputs[0])
            self.note(type(space).add, (space, *inputs), {}, outputs)
            return
        record = record_of(raw)
        primitive, attributes = record.plan.primitive, record.attributes
        if primitive.traits.copies:  # the same value, by which an inner derivative knows its argument
            self._put(outputs, None, self.node_of(inputs[0]))
            return
        known = None if attributes else numpy_functions.get(_numpys_name(primitive))
        self.note(known or _Op(primitive), inputs, attributes, outputs)

    def pulled(self, raw: tuple[Any, ...], key: Key, g: Any, gx: Any) -> None:
        """Nothing: what a rule computes is traced op by op."""

    def called(self, traced: Any, given: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
        """Nothing: compiled functions run op by op."""

    def note(self, fun: Callable[..., Any], args: Sequence[Any], kwargs: Any, output: Any) -> None:
        """A function was called: make a node if any of its arguments has one."""
        key = getattr(handle_of(output), "_key", None)
        if fun in untraced.get(self._kind, ()) or (key is not None and self.knows(key)):
            return
        recorders = state.recorders
        state.recorders = recorders[: recorders.index(self)]  # what the node computes is not traced here
        try:
            value = outside(output)
            node = self._made(fun, tuple(args), kwargs, value)
            if node is not None:
                self._put(output, value, node)
        finally:
            state.recorders = recorders

    def _made(self, fun: Callable[..., Any], args: tuple[Any, ...], kwargs: Any, value: Any) -> Any:
        parents = {i: node for i, arg in enumerate(args) if (node := self.node_of(arg)) is not None}
        if not parents:
            return None
        values = tuple([outside(each) for each in args])
        return self._kind(value, fun, values, kwargs, tuple(parents), tuple(parents.values()))

    def _put(self, given: Any, value: Any, node: Any) -> None:
        if not nest.is_nested(given):
            if node is not None and isinstance(given, Tensor | Variable | Box):
                self._nodes[key_of(handle_of(given))] = node
            return
        for path, leaf in zip(nest.paths(given), nest.flatten(given)):
            if isinstance(leaf, Tensor | Box):
                self._parts[key_of(handle_of(leaf))] = (node, value, path)

    @property
    def is_listening(self) -> bool:
        """Whether the functions that this thread calls are traced."""
        return not self.resting and self._thread == threading.get_ident()


class _Traced(set[Key]):
    """The keys that a tracer knows, as a recorder's `unmarked`."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = weakref.ref(tracer)

    def __contains__(self, key: object) -> bool:
        tracer = self._tracer()
        return tracer is not None and tracer.knows(key)

    def add(self, key: Key) -> None:
        """Do nothing: a result is known when it has its node."""


def traced_call(
    fun: Callable[..., Any], call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function that becomes one node of each trace: `fun` is what the node is for, `call` what computes."""
    tracers = [each for each in state.recorders if isinstance(each, Tracer) and each.is_listening]
    for each in tracers:
        each.resting += 1
    try:
        output = call(*args, **kwargs)
    finally:
        for each in tracers:
            each.resting -= 1
    for each in tracers:
        each.note(fun, args, kwargs, output)
    return output


def _own(leaf: Any) -> Any:
    """A tensor, or a box, for a value that is traced."""
    if is_object(leaf):
        return boxed(leaf, new_handle())
    if isinstance(leaf, Tensor | Variable):
        return identity(leaf)
    number = isinstance(leaf, bool | int | float | complex | np.ndarray | np.generic)
    return as_numpy_does(np.asarray(leaf)) if number else leaf


def container_take(container: Any, index: Any) -> Any:
    """A part of a list, tuple or dict."""
    return container[index]


def make_sequence(kind: type, *parts: Any) -> Any:
    """A list or tuple of some parts."""
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)


class _Op:
    """An op as a function on arrays."""

    def __init__(self, primitive: Primitive) -> None:
        self._primitive = primitive
        self.__name__ = _numpys_name(primitive)

    def __call__(self, *args: Any, **attributes: Any) -> Any:
        tensors = [each if isinstance(each, Tensor) else as_numpy_does(each) for each in args]
        return outside(apply(self._primitive, *tensors, **attributes))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Op) and other._primitive is self._primitive

    def __hash__(self) -> int:
        return hash(self._primitive)


def _numpys_name(primitive: Primitive) -> str:
    return _NUMPYS_NAMES.get(primitive.name, primitive.name)


def _is_sum_of_cotangents() -> bool:
    """Whether the op that is being shown adds up the cotangents of a tensor that is used several times."""
    frame: Any = frame_at(2)
    for _ in range(6):
        if frame is None or frame.f_code is TensorCotangents.add.__code__:
            break
        frame = frame.f_back
    return frame is not None and frame.f_code is TensorCotangents.add.__code__
