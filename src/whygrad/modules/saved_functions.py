"""Traced functions as data: what a saved model holds in place of Python.

A function is traced to be run op by op (`whygrad.compile.replay`), and its steps are written as JSON: ops by their names, with
attributes and the numbers of the values that they take and give; variables read and assigned; branches and loops with their bodies.
Called again, the ops are applied one by one, so tapes differentiate through them and `tf.function` compiles them.

A function of arguments with open sizes is traced for several sizes. A whole number that differs between the traces is written as a
linear function of a product of sizes, which all traces confirm; a function whose steps differ otherwise is refused.
"""

from __future__ import annotations

import base64
import functools
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from whygrad.compile.replay import Assign, Body, Compute, Notice, OnTape, Outside, Program, Read, RecordOp, Step
from whygrad.compile.replay_control import Choose, Loop, While
from whygrad.engines.numpy import engine
from whygrad.engines.philox import stream_of_pair, stream_of_words
from whygrad.engines.recording import (
    InPython,
    Kernel,
    Method,
    SymbolicArray,
    SymbolicStream,
    drawn,
    skipped,
    state_of_pair,
)
from whygrad.ops.control import switch_case, traced_while_loop, while_loop
from whygrad.ops.primitive import Primitive, apply, engine_of, registered
from whygrad.ops.recorded import every_primitive
from whygrad.ops.shaping import identity, stack, unstack
from whygrad.tape.custom_gradient import custom_gradient
from whygrad.tape.gradient_tape import GradientTape
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.dtypes import DType
from whygrad.values.errors import DataLossError, OpValueError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import SymbolicTensor, Tensor, wrap
from whygrad.values.variable import Variable

Json = Any
Array = Any
_OPERATORS = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "neg", "getitem")
}
_METHODS = ("astype", "reshape")
# On the random numbers of a generator's state, and on those of a pair of seeds.
_STREAMS = {"stream.skip": skipped, "stream.draw": drawn, "stream.of_pair": state_of_pair}


class Unsaveable(OpValueError):
    """A function does something that a saved model cannot hold."""


COMPUTES_STRINGS = "it computes strings"


# -- writing --


class Writer:
    """The arrays and variables that the written functions use."""

    def __init__(self) -> None:
        self.arrays: dict[str, Array] = {}
        self.variables: list[Variable] = []
        self._numbers: dict[int, int] = {}  # of the variables, by identity

    def variable(self, variable: Variable) -> int:
        """Return the number of a variable."""
        variable = variable.handle
        if id(variable) not in self._numbers:
            self._numbers[id(variable)] = len(self.variables)
            self.variables.append(variable)
        return self._numbers[id(variable)]

    def program(self, program: Program, placeholders: Sequence[Variable] = ()) -> Json:
        """Write a traced function."""
        if placeholders:
            raise Unsaveable("a variable is among its arguments: let it use the variable as an attribute")
        return _BodyWriter(self, {}, itertools.count()).body(program.body)

    def constant(self, array: Array) -> Json:
        """Write an array; one with the same number everywhere as that number and its shape."""
        if array.dtype.kind == "O":
            texts = [base64.b64encode(each).decode() for each in array.reshape(-1).tolist()]
            return {"strings": texts, "shape": {"tuple": list(array.shape)}}
        about = {"dtype": dtypes.of_array(array).name, "shape": {"tuple": list(array.shape)}}
        flat = np.ascontiguousarray(array).reshape(-1)
        if flat.size > 1 and flat.tobytes() == flat[:1].tobytes() * flat.size:
            return {"constant": self._stored(flat[:1].reshape(())), **about}
        return {"constant": self._stored(array), **about}

    def _stored(self, array: Array) -> str:
        for name, each in self.arrays.items():
            if each.dtype == array.dtype and each.shape == array.shape and each.tobytes() == array.tobytes():
                return name
        name = f"constant/{len(self.arrays)}"
        self.arrays[name] = np.asarray(array)
        return name


class _BodyWriter:
    """Writes the steps of a body. Values have numbers, which bodies inside it see."""

    def __init__(self, writer: Writer, numbers: dict[int, int], count: Iterator[int]) -> None:
        self._writer = writer
        self._numbers = numbers  # by the identity of a symbolic array or of a tensor's key, which the trace holds
        self._count = count

    def body(self, body: Body) -> Json:
        inner = _BodyWriter(self._writer, dict(self._numbers), self._count)
        inputs = [inner._new(each) for each in body.inputs]
        recorded = {id(each._array) for step in body.steps if isinstance(step, RecordOp) for each in step.outputs}
        steps = [written for step in body.steps if (written := inner._step(step, recorded)) is not None]
        return {"inputs": inputs, "steps": steps, "results": [inner.value(each) for each in body.results]}

    def _new(self, tensor: Tensor) -> int:
        number = next(self._count)
        if tensor._key is not None:
            self._numbers[id(tensor._key)] = number
        if type(tensor) is SymbolicTensor:
            self._numbers.setdefault(id(tensor._array), number)
        return number

    def _step(self, step: Step, recorded: set[int]) -> Json:
        if isinstance(step, Notice):
            return None
        if isinstance(step, RecordOp):
            return self._op(step)
        if isinstance(step, Compute):
            if isinstance(step.function, InPython):
                raise Unsaveable(_REFUSED["CallOp"])
            arrays = step.result if type(step.result) in (list, tuple) else [step.result]
            if all(id(each) in recorded for each in arrays):
                return None  # the op computes it
            return self._computation(step, arrays)
        if isinstance(step, Read):
            return {"read": self._writer.variable(step.variable), "out": self._new(step.value)}
        if isinstance(step, Assign):
            return {"assign": self._writer.variable(step.variable), "value": self.value(step.array)}
        if isinstance(step, Outside):
            value = self.value(step.tensor)
            number = next(self._count)
            self._numbers[id(step.array)] = number
            return {"same": value, "out": number}
        if isinstance(step, Choose):
            branches = [self.body(each) for each in step.branches]
            return {
                "choose": self.value(step.index),
                "branches": branches,
                "out": [self._new(each) for each in step.outputs],
            }
        if isinstance(step, Loop):
            return {
                "loop": self.body(step.body),
                "carry": [self.value(each) for each in step.carry],
                "elements": [self.value(each) for each in step.elements],
                "reverse": step.reverse,
                "length": step.length,
                "out": [self._new(each) for each in step.outputs],
            }
        if isinstance(step, While):
            return {
                "while": self.body(step.condition),
                "body": self.body(step.body),
                "begin": [self.value(each) for each in step.begin],
                "limit": step.limit,
                "out": [self._new(each) for each in step.outputs],
            }
        if isinstance(step, OnTape):
            return self._on_tape(step)
        raise Unsaveable(_REFUSED.get(type(step).__name__, f"its step {type(step).__name__} has no saved form"))

    def _on_tape(self, step: OnTape) -> Json:
        tape = step.tape
        if type(tape) is not GradientTape or not step.is_new or step.method not in _ON_TAPE:
            raise Unsaveable(_REFUSED["OnTape"])
        written = {
            "tape": self._numbers.setdefault(id(tape), next(self._count)),
            "persistent": tape._persistent,
            "watches_variables": tape._watch_accessed_variables,
            "method": _ON_TAPE[step.method],
        }
        flat = [nest.flatten(each) for each in step.args]
        if step.method not in ("gradient", "jacobian", "batch_jacobian"):
            return {**written, "args": [[self.value(each) for each in arg] for arg in flat]}
        targets, sources, *rest = flat
        upstream = rest[0] if step.method == "gradient" and step.args[2] is not None else []
        # A source that the target does not depend on has no result, and is not asked for.
        found = [(source, result) for source, result in zip(sources, step.results) if result is not None]
        if not found:
            return None
        args = [targets, [source for source, _ in found], upstream]
        return {
            **written,
            "args": [[self.value(each) for each in arg] for arg in args],
            "sparse": [isinstance(result, IndexedSlices) for _, result in found],
            "out": [self._new(part) for _, result in found for part in _parts(result)],
        }

    def _op(self, step: RecordOp) -> Json:
        inputs = [self.value(each) for each in step.inputs]
        rule = getattr(step.primitive.joint, "traced", None)
        if rule is not None:
            results = [self.value(each._array) for each in step.outputs]
            written = {"custom": inputs, "results": results, "rule": self.body(rule.body())}
        elif registered().get(step.primitive.name) is step.primitive:
            attributes = {name: self.value(each) for name, each in step.attributes.items()}
            written = {"op": step.primitive.name, "inputs": inputs, "attributes": attributes}
        elif any(each.dtype is dtypes.string for each in (*step.inputs, *step.outputs)):
            raise Unsaveable(COMPUTES_STRINGS)
        else:
            raise Unsaveable(f"its op {step.primitive.name} was made by the program")
        outputs = []
        for tensor, key in zip(step.outputs, step.keys):
            number = next(self._count)
            self._numbers[id(key)] = number
            if type(tensor) is SymbolicTensor:
                self._numbers.setdefault(id(tensor._array), number)
            outputs.append(number)
        return {**written, "out": outputs if step.several else outputs[0]}

    def _computation(self, step: Compute, arrays: Sequence[Any]) -> Json:
        if len(arrays) != 1 or type(step.result) is not SymbolicArray:
            raise Unsaveable("it computes several arrays at once in a way that has no saved form")
        written = {
            "compute": _name_of(step.function),
            "args": [self.value(each) for each in step.args],
            "kwargs": {name: self.value(each) for name, each in step.kwargs.items()},
        }
        number = next(self._count)
        self._numbers[id(step.result)] = number
        return {**written, "out": number}

    def value(self, value: Any) -> Json:
        """Write a value of the trace, or what an attribute or result holds."""
        if isinstance(value, Tensor):
            number = None if value._key is None else self._numbers.get(id(value._key))
            if number is None and type(value) is SymbolicTensor:
                number = self._numbers.get(id(value._array))
            return self._writer.constant(np.asarray(value._array)) if number is None else {"value": number}
        if isinstance(value, SymbolicArray):
            return {"array": self._numbers[id(value)]}
        if isinstance(value, SymbolicStream):
            return {"stream": self.value(value.state_array)}
        if isinstance(value, Variable):
            return {"variable": self._writer.variable(value)}
        return encode(value, self.value, self._writer.constant)


_REFUSED = {
    "Feed": "it draws random numbers by the global seed: draw them with a tf.random.Generator outside, or by a stateless op",
    "OnTape": "it differentiates with a tape or accumulator that has no saved form (a tape from outside, ForwardAccumulator or "
    "tf.gradients): save the function that computes the value, and differentiate that after loading it",
    "CallOp": "it calls Python (py_function, numpy_function or print), or reads a file or a lookup table",
}


# The methods of a tape in a trace, as they are written.
_ON_TAPE = {
    "__enter__": "enter",
    "_start": "enter",
    "_stop": "exit",
    "watch": "watch",
    "reset": "reset",
    "gradient": "gradient",
    "jacobian": "jacobian",
    "batch_jacobian": "batch_jacobian",
}


def _parts(gradient: Any) -> list[Tensor]:
    """The tensors that a gradient consists of."""
    return [gradient.values, gradient.indices] if isinstance(gradient, IndexedSlices) else [gradient]


def _name_of(function: Callable[..., Any]) -> str:
    if isinstance(function, Method) and function.name in _METHODS:
        return f"array.{function.name}"
    for written, each in _STREAMS.items():
        if each is function:
            return written
    name = getattr(function, "__name__", "").strip("_")
    if _OPERATORS.get(name) is function:
        return name
    if isinstance(function, Kernel) and function.__name__:
        return f"kernel.{function.__name__}"
    raise Unsaveable(f"it calls {name or function!r} on arrays")


def encode(value: Any, inside: Callable[[Any], Json], constant: Callable[[Array], Json]) -> Json:
    """Write a Python value as JSON; `inside` writes what a container holds."""
    if value is None or isinstance(value, bool | str):
        return value
    if type(value) is int:
        return value
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) is complex:
        return {"complex": [inside(value.real), inside(value.imag)]}
    if type(value) is bytes:
        return {"bytes": base64.b64encode(value).decode()}
    if type(value) in (list, tuple):
        return {type(value).__name__: [inside(each) for each in value]}
    if type(value) is dict and all(isinstance(each, str) for each in value):
        return {"dict": {name: inside(each) for name, each in value.items()}}
    if type(value) is slice:
        return {"slice": [inside(each) for each in (value.start, value.stop, value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, DType):
        return {"DType": value.name}
    if isinstance(value, np.dtype):
        return {"dtype": dtypes.as_dtype(value).name}
    if isinstance(value, type) and issubclass(value, np.generic):
        return {"type": dtypes.as_dtype(value).name}
    if isinstance(value, np.ndarray):
        return {"numpy": constant(value)}
    if isinstance(value, np.generic):
        return {"scalar": constant(np.asarray(value))}
    raise Unsaveable(f"it holds a Python value of class {type(value).__name__}")


# -- open sizes --


class Sizes(NamedTuple):
    """What the arguments of a call leave open: the sizes in place of None, and the shapes in place of unknown ones."""

    open: list[int]
    shapes: list[tuple[int, ...]]


def generalized(traces: Sequence[Json], sizes: Sequence[Sizes]) -> Json:
    """Return one form for several traces, whose whole numbers may depend on the sizes that each was made for."""
    first = traces[0]
    if all(type(each) is type(first) and each == first for each in traces):
        return first
    if all(type(each) is dict and each.keys() == first.keys() for each in traces):
        return {name: generalized([each[name] for each in traces], sizes) for name in first}
    if all(type(each) is list for each in traces):
        for i in range(len(sizes[0].shapes)):
            if all(each == list(range(len(size.shapes[i]))) for each, size in zip(traces, sizes)):
                return {"axes of": i}
            if all(each == list(size.shapes[i]) for each, size in zip(traces, sizes)):
                return {"shape of": i}
        if all(len(each) == len(first) for each in traces):
            return [generalized(list(each), sizes) for each in zip(*traces)]
    if all(type(each) is int for each in traces):
        found = _fitted(traces, [each.open for each in sizes])
        if found is not None:
            return found
    raise Unsaveable("what it does depends on the sizes that its signature leaves open (None): give the sizes")


def _fitted(numbers: Sequence[int], sizes: Sequence[Sequence[int]]) -> Json:
    count = len(sizes[0])
    for chosen in itertools.chain(*[itertools.combinations(range(count), n) for n in range(1, min(count, 4) + 1)]):
        products = [math.prod(each[i] for i in chosen) for each in sizes]
        if products[0] != products[1]:
            factor = Fraction(numbers[1] - numbers[0], products[1] - products[0])
            rest = numbers[0] - factor * products[0]
            if all(factor * product + rest == number for product, number in zip(products, numbers)):
                return {"size": list(chosen), "factor": [factor.numerator, factor.denominator], "plus": str(rest)}
    return None


def _size(written: Json, sizes: Sequence[int]) -> int:
    found = Fraction(*written["factor"]) * math.prod(sizes[i] for i in written["size"]) + Fraction(written["plus"])
    if found.denominator != 1:
        raise OpValueError(f"a loaded function cannot divide its arguments' sizes {tuple(sizes)} as it was saved to do")
    return int(found)


# -- calling --


def _primitive_named(name: str) -> Primitive | None:
    """The op of this name; a process that only loads the function has not loaded all families of ops yet."""
    found = registered().get(name) or every_primitive().get(name)
    if found is None:
        from whygrad.numpy import discrete, primitives  # noqa: F401  (they declare ops)

        found = registered().get(name)
    return found


class Caller:
    """Applies the steps of a saved function; `sizes` are those that it left open."""

    def __init__(self, arrays: Mapping[str, Array], variables: Sequence[Variable], sizes: Sizes) -> None:
        self._arrays, self._variables, self._sizes = arrays, variables, sizes
        self._tapes: list[GradientTape] = []

    def call(self, body: Json, inputs: Sequence[Tensor]) -> list[Any]:
        """Return the results of the function's body. An error leaves none of its tapes recording."""
        try:
            return self.run(body, inputs)
        finally:
            for tape in self._tapes:
                tape._remove()

    def run(self, body: Json, inputs: Sequence[Tensor], values: Mapping[int, Any] | None = None) -> list[Any]:
        """Return the results of a body, inside which `values` are known."""
        known = dict(values or {})
        known.update(zip(body["inputs"], inputs))
        for step in body["steps"]:
            made = self._step(step, known)
            if type(step.get("out")) is list:
                known.update(zip(step["out"], made))
            elif "out" in step:
                known[step["out"]] = made
        return [self.decode(each, known) for each in body["results"]]

    def _step(self, step: Json, known: dict[int, Tensor]) -> Any:
        value = functools.partial(self.decode, known=known)
        if "op" in step:
            primitive = _primitive_named(step["op"])
            if primitive is None:
                raise DataLossError(
                    None, None, f"a saved function uses the op {step['op']!r}, which does not exist here"
                )
            attributes = {name: value(each) for name, each in step["attributes"].items()}
            return apply(primitive, *map(value, step["inputs"]), **attributes)
        if "read" in step:
            return convert(self._variables[step["read"]], None)
        if "assign" in step:
            new = value(step["value"])
            return self._variables[step["assign"]].assign(new if isinstance(new, Tensor) else wrap(new))
        if "compute" in step:
            return wrap(
                _computed(step["compute"], [value(each) for each in step["args"]], value({"dict": step["kwargs"]}))
            )
        if "same" in step:
            return value(step["same"])
        if "custom" in step:
            return self._custom(step, known)
        if "choose" in step:
            branches = [lambda each=each: self.run(each, [], known) for each in step["branches"]]
            return switch_case(value(step["choose"]), branches)
        if "loop" in step:
            return self._loop(step, known)
        if "tape" in step:
            return self._on_tape(step, known)
        return self._while(step, known)

    def _on_tape(self, step: Json, known: dict[int, Any]) -> list[Tensor] | None:
        tape = known.get(step["tape"])
        if tape is None:
            tape = known[step["tape"]] = GradientTape(step["persistent"], step["watches_variables"])
            self._tapes.append(tape)
        args = [[self.decode(each, known) for each in arg] for arg in step["args"]]
        method = step["method"]
        if "out" not in step:
            {
                "enter": tape.__enter__,
                "exit": lambda: tape.__exit__(None, None, None),
                "watch": lambda: tape.watch(*args),
                "reset": tape.reset,
            }[method]()
            return None
        targets, sources, upstream = args
        # Eagerly a branch that is not taken leaves a source unconnected, for which the trace has a gradient: zeros.
        if method == "gradient":
            found = tape.gradient(targets, sources, upstream or None, unconnected_gradients="zero")
        elif method == "jacobian":
            found = tape.jacobian(targets[0], sources, unconnected_gradients="zero")
        else:
            found = [tape.batch_jacobian(targets[0], sources[0], unconnected_gradients="zero")]
        return [
            part
            for each, is_sparse in zip(found, step["sparse"])
            for part in _parts(each if is_sparse else convert(each, None))
        ]

    def _while(self, step: Json, known: dict[int, Tensor]) -> Any:
        begin = [self.decode(each, known) for each in step["begin"]]
        limit = self.decode(step["limit"], known)

        def condition(*current: Tensor) -> Any:
            return self.run(step["while"], current, known)[0]

        def body(*current: Tensor) -> list[Any]:
            return self.run(step["body"], current, known)

        if state.context is None:
            return while_loop(condition, body, begin, maximum_iterations=limit)
        return traced_while_loop(condition, body, begin, limit, differentiable=True)

    def _loop(self, step: Json, known: dict[int, Tensor]) -> list[Tensor]:
        current = [self.decode(each, known) for each in step["carry"]]
        parts = [unstack(self.decode(each, known)) for each in step["elements"]]
        numbers = range(self.decode(step["length"], known))
        collected: list[list[Tensor]] = []
        for i in reversed(numbers) if step["reverse"] else numbers:
            results = self.run(step["loop"], [*current, *[part[i] for part in parts]], known)
            current = results[: len(current)]
            collected.append(results[len(current) :])
        if step["reverse"]:
            collected.reverse()
        return [*current, *[stack(list(each)) for each in zip(*collected)]]

    def _custom(self, step: Json, known: dict[int, Tensor]) -> Any:
        results = [
            self.decode({"value": each["array"]} if "array" in each else each, known) for each in step["results"]
        ]

        def rule(*g: Tensor) -> list[Any]:
            return self.run(step["rule"], g, known)

        def forward(*inputs: Tensor) -> Any:
            return [identity(each) for each in results], rule

        made = custom_gradient(forward)(*[self.decode(each, known) for each in step["custom"]])
        return made if type(step["out"]) is list else made[0]

    def decode(self, written: Json, known: Mapping[int, Tensor]) -> Any:
        """Return what was written, with the values of this call."""
        if type(written) is not dict:
            return written
        if "size" in written:
            return _size(written, self._sizes.open)
        if "value" in written:
            return known[written["value"]]
        if "array" in written:
            return known[written["array"]]._array
        if "constant" in written or "strings" in written:
            return wrap(self._constant(written, known))
        (kind,) = written
        held = written[kind]
        if kind == "variable":
            return self._variables[held]
        if kind == "stream":
            return _stream(self.decode(held, known))
        if kind in ("list", "tuple") and type(held) is dict:
            ((what, number),) = held.items()
            shape = self._sizes.shapes[number]
            found = range(len(shape)) if what == "axes of" else shape
            return tuple(found) if kind == "tuple" else list(found)
        if kind in ("numpy", "scalar"):
            array = self._constant(held, known)
            return array if kind == "numpy" else array[()]
        return decode(written, lambda each: self.decode(each, known))

    def _constant(self, written: Json, known: Mapping[int, Tensor]) -> Array:
        if "strings" in written:
            array = np.empty(len(written["strings"]), object)
            array[:] = [base64.b64decode(each) for each in written["strings"]]
            return array.reshape(self.decode(written["shape"], known))
        array = self._arrays[written["constant"]]
        shape = self.decode(written["shape"], known)
        return array if array.shape == shape else np.broadcast_to(array, shape).copy()


def _stream(words: Array) -> Any:
    """The random numbers of a generator's state, on the engine that the state belongs to."""
    xp = engine_of([wrap(words)])
    return stream_of_words(words) if xp is engine else xp.stream_of_state(words)


def _computed(name: str, args: list[Any], kwargs: dict[str, Any]) -> Array:
    # A tensor without a number in the trace is a constant.
    plain = [each._array if isinstance(each, Tensor) else each for each in args]
    if name.startswith("kernel."):
        kernel = name.removeprefix("kernel.")
        xp = engine_of([wrap(each) for each in plain if hasattr(each, "dtype")])
        return getattr(engine, kernel)(*plain, **kwargs) if xp is engine else xp.compute(kernel, plain, kwargs)
    if name == "stream.skip":
        stream, blocks = plain
        return stream.skip(blocks).state()
    if name == "stream.draw":
        stream, method, *rest = plain
        return getattr(stream, method)(*rest)
    if name == "stream.of_pair":
        xp = engine_of([wrap(plain[0])])
        return (stream_of_pair(*plain[0].tolist()) if xp is engine else xp.stream_of_pair(plain[0])).state()
    if name.startswith("array."):
        return getattr(plain[0], name.removeprefix("array."))(*plain[1:], **kwargs)
    return _OPERATORS[name](*plain, **kwargs)


def decode(written: Json, inside: Callable[[Json], Any]) -> Any:
    """Return the Python value that `encode` wrote."""
    if type(written) is not dict:
        return written
    (kind,) = written
    held = written[kind]
    if kind in ("list", "tuple"):
        parts = [inside(each) for each in held]
        return parts if kind == "list" else tuple(parts)
    if kind == "dict":
        return {name: inside(each) for name, each in held.items()}
    if kind == "slice":
        return slice(*[inside(each) for each in held])
    if kind == "ellipsis":
        return Ellipsis
    if kind == "float":
        return float(held)
    if kind == "complex":
        return complex(*[inside(each) for each in held])
    if kind == "bytes":
        return base64.b64decode(held)
    if kind == "DType":
        return dtypes.as_dtype(held)
    if kind in ("dtype", "type"):
        found = np.dtype(dtypes.as_dtype(held).numpy_dtype)
        return found if kind == "dtype" else found.type
    raise DataLossError(None, None, f"a saved model holds a value of the unknown kind {kind!r}")
