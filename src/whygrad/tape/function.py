"""`tf.function`: the decorator. Functions run as Python, op by op, like the rest of the program.

TensorFlow runs the Python of a function once for each kind of arguments and keeps what it recorded; numbers that the Python
read on the way (an attribute, a global) are kept with it. Programs that change such a number later get the old one there.
Here they get the new one; recorders are told of the difference, since the program will not do the same on TensorFlow.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from whygrad.values import nest
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

PythonNumber = bool | int | float | complex | str


class Function:
    """A function under `tf.function`: called like the Python function it is made of."""

    def __init__(
        self, python_function: Callable[..., Any], input_signature: Any = None, name: str | None = None
    ) -> None:
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self.input_signature = input_signature
        self._read: list[_Read] | None = (
            None  # the Python values that the function reads, once its source was looked at
        )
        self._frozen: dict[Any, dict[_Read, Any]] = {}  # by kind of arguments: what those values were when first called

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else functools.partial(self.__call__, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        if state.recorders:
            self._compare_with_first_call(args, kwargs)
        return self.python_function(*args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Function:
        """The function itself: it is not specialised for its arguments."""
        return self

    def _compare_with_first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Tell recorders of Python values that have changed since the function was first called with such arguments."""
        if self._read is None:
            self._read = list(_values_read(self.python_function))
        now = {read: value for read in self._read if isinstance(value := read.value(args), PythonNumber)}
        first = self._frozen.setdefault(_kind_of(args, kwargs), now)
        for read, value in now.items():
            if read in first and first[read] != value:
                for recorder in state.recorders:
                    recorder.python_value_changed(read.text, first[read], value, read.place)


class _Read:
    """A Python value that a function reads by name: where, and how to look it up."""

    def __init__(self, function: Any, chain: list[str], place: tuple[str, int, int, int]) -> None:
        self._function = function
        self._chain = chain
        self.place = place  # file, line, column, end column
        self.text = ".".join(chain)

    def value(self, args: tuple[Any, ...]) -> Any:
        """What the name stands for now; None where it cannot be looked up."""
        root, *attributes = self._chain
        function = self._function
        code = function.__code__
        if root in code.co_freevars:
            try:
                found: Any = function.__closure__[code.co_freevars.index(root)].cell_contents
            except ValueError:  # a cell that is still empty
                return None
        elif code.co_argcount and root == code.co_varnames[0] and args and attributes:
            found = args[0]
        elif root not in code.co_varnames:
            found = function.__globals__.get(root)
        else:
            return None
        for attribute in attributes:
            found = vars(found).get(attribute) if hasattr(found, "__dict__") else None
        return found


def _values_read(function: Any) -> Iterator[_Read]:
    """The names and attributes that a function reads and does not call."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    indent = len(lines[0]) - len(lines[0].lstrip())
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load) or id(node) in called:
            continue
        chain = _chain(node)
        if chain:
            end = (node.end_col_offset or node.col_offset) + indent
            place = (function.__code__.co_filename, node.lineno + first - 1, node.col_offset + indent, end)
            yield _Read(function, chain, place)


def _chain(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        start = _chain(node.value)
        return [*start, node.attr] if start else []
    return []


def _kind_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What TensorFlow would record the function anew for: dtypes and shapes of tensors, values of Python arguments."""

    def kind(value: Any) -> Any:
        if isinstance(value, Tensor | Variable | IndexedSlices):
            return type(value).__name__, value.dtype.name, tuple(value.shape)
        if hasattr(value, "dtype") and hasattr(value, "shape"):
            return "array", str(value.dtype), tuple(value.shape)
        return value if isinstance(value, PythonNumber) else id(value)

    return tuple(kind(value) for value in nest.flatten((args, tuple(sorted(kwargs.items())))))


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Decorate a function, as TensorFlow programs do. It runs as Python; a tape around or inside it sees every op.

    >>> import whygrad as tf
    >>> @tf.function
    ... def square(x):
    ...     return x * x
    >>> square(tf.constant(3.0)).numpy()
    np.float32(9.0)
    """
    if func is None:
        return functools.partial(function, input_signature=input_signature)
    return Function(func, input_signature)
