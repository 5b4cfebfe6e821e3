"""A traced program as one Python function, for calls that no recorder sees.

A step of a program (`whygrad.compile.replay`) looks up its values by identity, sets the call site and notifies recorders. The function
that is rendered here calls the same kernels on the same arrays, so its results are the same bit by bit. It takes less time because
- nothing stands between two kernels;
- a kernel is not called again with the same operands: kernels have no side effects, and nothing writes to arrays;
- a ufunc writes into an operand that nothing else refers to, which is in the processor's caches, rather than into other memory.

The function is rendered for the first tensors that it gets, and checks at each call what it assumes of them: class, dtype, shape, and that
arrays in C order still are, because the order of an operand decides the order of a result. Where that fails, it raises `Differs`, before
it assigns anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from whygrad.engines.recording import InPython, Kernel, SymbolicArray, SymbolicStream
from whygrad.runtime.call_sites import GENERATED
from whygrad.values.tensor import SymbolicTensor, Tensor, placement, wrap
from whygrad.values.variable import Variable

Array = Any
Call = Callable[[Sequence[Tensor]], list[Any]]
_FILE = GENERATED + "program>"
_PLAIN = (bool, int, float, complex, str, bytes, type(None))  # the same if their texts are
_SMALL = 16  # bytes of a constant array that is compared by its elements


class Differs(Exception):
    """An input or a variable is not as it was when the function was rendered."""


class NotStraight(Exception):
    """A step is neither a kernel nor a read or an assignment of a variable."""


class _Value:
    """An array in the rendered function."""

    def __init__(self, name: str, shape: tuple[int, ...], dtype: np.dtype[Any], is_ordered: bool) -> None:
        self.name, self.shape, self.dtype = name, shape, dtype
        self.is_ordered = is_ordered  # in C order
        self.is_ours = False  # its memory may be written to after its last use: no view and no tensor has it
        self.is_scalar = False  # one of NumPy's scalars, which ufuncs take like an array
        self.from_outside = ""  # the text of the tensor that holds it, for an input or a variable
        self.is_returned = False
        self.last_use: _Line | None = None

    def has_room_for(self, made: _Value) -> bool:
        """Whether a ufunc may write `made` here, after the last use of this value."""
        return (
            self.is_ours
            and self.is_ordered
            and made.is_ordered
            and (self.shape, self.dtype) == (made.shape, made.dtype)
        )


class _Line:
    """A call, and the value that it makes."""

    def __init__(
        self, text: str, operands: Sequence[_Value], made: _Value | None = None, is_ufunc: bool = False
    ) -> None:
        self.text = text  # without the closing bracket
        self.is_ufunc = is_ufunc
        self.operands = list(operands)
        self.made = made
        for each in self.operands:
            each.last_use = self


def _holds_strings(value: Any) -> bool:
    """Whether an array of strings is among some arguments or results."""
    if type(value) in (list, tuple, dict):
        return any(map(_holds_strings, value.values() if type(value) is dict else value))
    return type(value) in (SymbolicArray, np.ndarray) and value.dtype.kind == "O"


class Writer:
    """Collects what the steps of a program do, and renders it."""

    def __init__(self, inputs: Sequence[Tensor], given: Sequence[Tensor]) -> None:
        self._names: dict[str, Any] = {
            "Tensor": Tensor,
            "Differs": Differs,
            "wrap": wrap,
            "asarray": np.asarray,
            "checked": _checked,
        }
        self._lines: list[_Line] = []
        self._values: dict[int, _Value] = {}  # by the identity of a symbolic array
        self._results: dict[Any, Any] = {}  # by kernel and operands
        for i, (symbolic, tensor) in enumerate(zip(inputs, given)):
            self._take(symbolic._array, tensor, f"tensors[{i}]")

    # -- what steps do --

    def read(self, variable: Variable, value: Tensor) -> None:
        """A variable is read: when the call begins, since nothing else assigns it meanwhile."""
        if type(value) is SymbolicTensor and id(value._array) not in self._values:
            self._take(value._array, variable._value, f"{self._named(variable)}._value")

    def use(self, tensor: Tensor, array: SymbolicArray) -> None:
        """A known tensor is used as a symbolic one."""
        self._take(array, tensor, self._named(tensor))

    def assign(self, variable: Variable, array: Any) -> None:
        """A variable takes an array."""
        operands: list[_Value] = []
        text = self._shown(array, operands)
        self._lines.append(_Line(f"{self._named(variable.rebind)}({text}, False", operands))

    def compute(self, function: Any, args: Sequence[Any], kwargs: dict[str, Any], result: Any) -> None:
        """A function of arrays is called."""
        if isinstance(function, InPython):  # the user's, which may do anything
            raise NotStraight
        if _holds_strings((args, kwargs, result)):  # NumPy gives the only element of an array of strings as bytes
            raise NotStraight
        if isinstance(function, Kernel):
            key = function.forward, *map(self._key, args), *[(name, self._key(each)) for name, each in kwargs.items()]
            if key in self._results:
                self._name_again(result, self._results[key])
                return
            self._results[key] = result
            function = function.on_numpy()
        is_ufunc = isinstance(function, np.ufunc) and function.signature is None and not kwargs and function.nout == 1
        text_of = self._text if is_ufunc else self._shown
        operands: list[_Value] = []
        texts = [text_of(each, operands) for each in args]
        texts += [f"{name}={text_of(each, operands)}" for name, each in kwargs.items()]
        text = f"{self._named(function)}({', '.join(texts)}"
        if is_ufunc:
            made = self._new(result, all(map(self._is_ordered, args)))
            made.is_scalar, made.is_ours = not result.shape, bool(result.shape)
            self._lines.append(_Line(text, operands, made, is_ufunc=True))
        elif type(result) is SymbolicArray:
            self._check(text + ")", operands, result)
        elif type(result) in (list, tuple) and not any(type(each) in (list, tuple) for each in result):
            parts = _Value(f"v{len(self._lines)}", (), np.dtype(object), False)
            self._lines.append(_Line(text, operands, parts))
            for i, each in enumerate(result):
                if type(each) is SymbolicArray:
                    self._check(f"{parts.name}[{i}]", [parts], each)
        else:
            raise NotStraight

    def function(self, results: Sequence[Any]) -> Call:
        """Return a function that takes the inputs and returns these results."""
        returned = []
        for each in results:
            if type(each) is not SymbolicTensor:
                returned.append(self._named(each))
                continue
            text = self._shown(each._array, [])
            value = self._values[id(each._array)]
            value.is_returned = True
            returned.append(f"tensor_{text}" if value.from_outside else f"wrap({text})")
        lines = [line for value in self._values.values() if value.from_outside for line in self._taken(value)]
        lines += ["tensor = None"]
        lines += [line for each in self._lines for line in self._rendered(each)]
        source = "".join(
            ["def program(tensors):\n", *[f" {line}\n" for line in lines], f" return [{', '.join(returned)}]"]
        )
        exec(compile(source, _FILE, "exec"), self._names)
        program: Call = self._names.pop("program")
        return program

    # -- values --

    def _take(self, array: SymbolicArray, tensor: Tensor, text: str) -> None:
        """A symbolic array is that of a tensor from outside."""
        if type(tensor) is not Tensor or (tensor._array.shape, tensor._array.dtype) != (array.shape, array.dtype):
            raise NotStraight
        value = self._new(array, tensor._array.flags.c_contiguous)
        value.dtype = tensor._array.dtype  # the object that the array has, which is compared by identity
        value.from_outside = text

    def _new(self, array: SymbolicArray, is_ordered: bool) -> _Value:
        name = f"v{len(self._values)}_{len(self._lines)}"
        value = self._values[id(array)] = _Value(name, array.shape, array.dtype, is_ordered)
        return value

    def _check(self, text: str, operands: Sequence[_Value], result: SymbolicArray) -> None:
        """A kernel gives an array, of a shape that it might have from values."""
        self._lines.append(
            _Line(f"checked({text}, {self._named(result.shape)}", operands, self._new(result, is_ordered=False))
        )

    def _name_again(self, result: Any, known: Any) -> None:
        for each, made in [(result, known)] if type(result) is SymbolicArray else zip(result, known):
            if type(each) is SymbolicArray:
                self._values[id(each)] = self._values[id(made)]

    def _is_ordered(self, arg: Any) -> bool:
        if type(arg) is SymbolicArray:
            return not arg.shape or self._values[id(arg)].is_ordered
        return not isinstance(arg, np.ndarray) or arg.flags.c_contiguous

    def _key(self, arg: Any) -> Any:
        """The same for arguments with which a kernel does the same."""
        kind = type(arg)
        if kind is SymbolicArray:
            return id(self._values.get(id(arg)))
        if kind in (list, tuple):
            return kind, *map(self._key, arg)
        if kind in _PLAIN or isinstance(arg, np.dtype):
            return kind, repr(arg)
        if kind is np.ndarray and arg.nbytes <= _SMALL and arg.dtype.kind != "O":
            return arg.dtype, arg.shape, arg.tobytes()
        return id(arg)  # the steps hold it

    # -- text --

    def _named(self, value: Any) -> str:
        """A name for an object."""
        name = f"c{len(self._names)}"
        self._names[name] = value
        return name

    def _text(self, arg: Any, operands: list[_Value]) -> str:
        """The text of an argument; its arrays are added to `operands`."""
        kind = type(arg)
        if kind is SymbolicArray:
            if id(arg) not in self._values:
                raise NotStraight
            value = self._values[id(arg)]
            operands.append(value)
            return value.name
        if kind is list:
            return f"[{', '.join([self._shown(each, operands) for each in arg])}]"
        if kind is tuple:
            return f"({''.join([self._shown(each, operands) + ', ' for each in arg])})"
        if kind is slice:
            return f"slice({', '.join([self._shown(each, operands) for each in (arg.start, arg.stop, arg.step)])})"
        if kind in (dict, SymbolicStream) or (placement.loaded is not None and placement.loaded.owns(arg)):
            raise NotStraight
        return self._named(arg)

    def _shown(self, arg: Any, operands: list[_Value]) -> str:
        """The text of an argument of which something may keep a view."""
        before = len(operands)
        text = self._text(arg, operands)
        for value in operands[before:]:
            value.is_ours = value.is_scalar = False
        return text

    def _taken(self, value: _Value) -> list[str]:
        """Lines that take a value from its tensor."""
        tensor = f"tensor_{value.name}" if value.is_returned else "tensor"
        lines = [
            f"{tensor} = {value.from_outside}",
            f"if type({tensor}) is not Tensor: raise Differs",
            f"{value.name} = {tensor}._array",
            f"if {value.name}.dtype is not {self._named(value.dtype)}: raise Differs",
            f"if {value.name}.shape != {self._named(value.shape)}: raise Differs",
        ]
        if value.is_ordered and value.shape:
            lines.append(f"if not {value.name}.flags.c_contiguous: raise Differs")
        return lines

    def _rendered(self, line: _Line) -> list[str]:
        """The lines of a call, which let go of the values that are not used again."""
        made = line.made
        ended = [each for each in dict.fromkeys(line.operands) if each.last_use is line and not each.is_returned]
        if made is None:
            text = f"{line.text})"
        elif line.is_ufunc and not made.shape:
            text = f"{made.name} = {line.text})" if made.is_scalar else f"{made.name} = asarray({line.text}))"
        else:
            room = next((each.name for each in ended if line.is_ufunc and each.has_room_for(made)), None)
            text = f"{made.name} = {line.text})" if room is None else f"{made.name} = {line.text}, {room})"
        return [text, *[f"del {each.name}" for each in ended if each.shape]]


def _checked(made: Any, shape: tuple[int, ...]) -> Array:
    """What a kernel gave, as an array of the shape that it had in the trace."""
    if type(made) is not np.ndarray:
        if not isinstance(made, np.generic):
            raise Differs
        made = np.asarray(made)
    if made.shape != shape:
        raise Differs
    return made
