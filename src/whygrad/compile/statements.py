"""What converted functions call in the place of Python's statements: see `whygrad.compile.conversion`.

Each function has the meaning of Python's own as long as no symbolic tensor decides. Otherwise it traces a branch or a loop, through
the same control flow as `tf.cond` and `tf.while_loop`. A block of the user's code reads and assigns the variables of the function
around it; `get_state` and `set_state` read and assign those that the block may change, `symbol_names` are their names.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from malt.core.converter import STANDARD_OPTIONS as STD
from malt.core.converter import ConversionOptions, Feature
from malt.operators.function_wrappers import FunctionScope, with_function_scope
from malt.operators.py_builtins import (
    eval_in_original_context,
    globals_in_original_context,
    locals_in_original_context,
    super_in_original_context,
)
from malt.operators.variables import Undefined, UndefinedReturnValue, ld, ldu

from whygrad.compile import replay, tracing
from whygrad.compile.bodies import with_elements
from whygrad.compile.conversion import Unconvertible, converted, is_convertible, log
from whygrad.compile.signature import fill, returned
from whygrad.ops.compiled_array import CompiledTensorArray
from whygrad.ops.control import cond as cond_op
from whygrad.ops.control import is_symbolic, traced_while_loop
from whygrad.ops.creation import range_ as range_op
from whygrad.ops.debugging import Assert
from whygrad.ops.elementwise import cast, greater, less, logical_and, logical_not, logical_or
from whygrad.ops.shaping import reshape
from whygrad.ops.sorting import sort
from whygrad.ops.tensor_array import TensorArray
from whygrad.runtime.call_sites import is_ours
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError
from whygrad.values.faults import Uncompilable, literal
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.shapes import as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

__all__ = [
    "STD", "ConversionOptions", "Feature", "FunctionScope", "Undefined", "UndefinedReturnValue", "and_", "assert_stmt",
    "autograph_artifact", "converted_call", "eq", "for_stmt", "if_exp", "if_stmt", "iterated_call", "ld", "ldu", "not_", "not_eq",
    "or_", "while_stmt", "with_function_scope",
]  # fmt: skip

Block = Callable[[], Any]
State = tuple[Any, ...]
GetState = Callable[[], State]
SetState = Callable[[Any], None]

_NUMBER = (bool, int, float, complex, np.ndarray, np.generic)
_RETURN_VALUE = "retval_"  # the name that the rewriting gives to what a function returns


def autograph_artifact(function: Any) -> Any:
    """Mark a function inside a converted one: it is converted already."""
    function.autograph_info__ = None
    return function


# -- values of variables --


def _is_undefined(value: Any) -> bool:
    return isinstance(value, Undefined | UndefinedReturnValue)


def _shown(name: str) -> str:
    return "the value that the function returns" if name.startswith(_RETURN_VALUE) else f"'{name}'"


def _is_staged(value: Any) -> bool:
    """Return whether a value can be the result of a branch or a loop: tensors, numbers, and structures of them."""
    return not any(_is_object(each) for each in nest.flatten(value))


def _is_object(value: Any) -> bool:
    return value is not None and not isinstance(
        value, (Tensor, Variable, TensorArray, IndexedSlices, str, bytes, *_NUMBER)
    )


def _described(value: Any) -> TensorSpec | None:
    """Return shape and dtype of a tensor or number; None for other values."""
    if isinstance(value, (Tensor, Variable, *_NUMBER)):
        tensor = value if isinstance(value, Tensor | Variable) else convert(value, None)
        return TensorSpec(tensor.shape, tensor.dtype)
    return None


def _condition(value: Any, what: str) -> Tensor:
    """Return a symbolic condition as a scalar of dtype bool."""
    tensor = convert(value, None)
    if tensor.dtype is not dtypes.bool_ or tensor._array.size != 1:
        raise OpValueError(
            f"condition of {what} expected to be `tf.bool` scalar, got {tensor.dtype.name} {tuple(tensor.shape)}; to use as boolean "
            "Tensor, use `tf.cast`; to check for None, use `is not None`"
        )
    return reshape(tensor, ()) if tensor.ndim else tensor


# -- branches --


def if_stmt(
    cond: Any,
    body: Block,
    orelse: Block,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Sequence[str],
    nouts: int,
) -> None:
    """`if cond: body() else: orelse()`; the first `nouts` variables are used afterwards."""
    if not is_symbolic(cond):
        body() if cond else orelse()
        return
    predicate = _condition(cond, "if statement")
    before = get_state()
    ends: dict[str, list[Any]] = {}
    objects: dict[str, list[Any]] = {}

    def branch(name: str, block: Block) -> Callable[[], list[Any]]:
        def run() -> list[Any]:
            set_state(before)
            block()
            ends[name] = list(get_state()[:nouts])
            _check_branch(name, ends[name], symbol_names)
            if len(ends) == 2:
                _check_branches(ends["main"], ends["else"], symbol_names)
            objects[name] = [None if _is_staged(each) else each for each in ends[name]]
            return [each if _is_staged(each) else None for each in ends[name]]

        return run

    try:
        found = cond_op(predicate, branch("main", body), branch("else", orelse))
    finally:
        set_state(before)
    after = [kept if kept is not None else made for made, kept in zip(found, objects["main"])]
    set_state((*after, *before[nouts:]))


def _check_branch(branch: str, found: Sequence[Any], names: Sequence[str]) -> None:
    for name, value in zip(names, found):
        if isinstance(value, Undefined):
            raise OpValueError(
                f"'{name}' must also be initialized in the {branch} branch: both branches of an `if` on a tensor are traced, and what "
                "is used after it needs a value in both."
            )
        if isinstance(value, UndefinedReturnValue):
            raise OpValueError(
                f"the {branch} branch must also have a return statement: an `if` on a tensor in which one branch returns a value needs "
                "one in the other too."
            )


def _check_branches(main: Sequence[Any], other: Sequence[Any], names: Sequence[str]) -> None:
    for name, one, two in zip(names, main, other):
        if (one is None) != (two is None):
            raise OpValueError(f"{_shown(name)} is None at the end of the {'main' if one is None else 'else'} branch.")
        try:
            nest.assert_same_structure(one, two, check_types=False)
        except (TypeError, ValueError) as error:
            raise OpTypeError(
                f"{_shown(name)} must have the same nested structure in the main and else branches:\n\n{error}"
            ) from None
        for a, b in zip(nest.flatten(one), nest.flatten(two)):
            of_main, of_else = _described(a), _described(b)
            if of_main is None or of_else is None:
                if _is_object(a) and a is not b:
                    raise OpTypeError(
                        f"{_shown(name)} is {_kind(a)} in the main branch and {_kind(b)} in the else branch: only tensors, numbers and "
                        "structures of them can depend on a tensor."
                    )
            elif of_main.dtype != of_else.dtype:
                raise OpTypeError(
                    f"{_shown(name)} has dtype {of_main.dtype.name} in the main branch, but dtype {of_else.dtype.name} in the else "
                    "branch"
                )


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}" if _described(value) is None else "a tensor"


def if_exp(cond: Any, if_true: Block, if_false: Block, expr_repr: str) -> Any:
    """`if_true() if cond else if_false()`."""
    if not is_symbolic(cond):
        return if_true() if cond else if_false()
    found: list[Any] = []

    def branch(block: Block) -> Block:
        def run() -> Any:
            found.append(block())
            if len(found) == 2:
                _check_branches([found[-2]], [found[-1]], [expr_repr])
            return found[-1]

        return run

    return cond_op(_condition(cond, "conditional expression"), branch(if_true), branch(if_false))


# -- logical expressions --


def and_(a: Block, b: Block) -> Any:
    """`a() and b()`."""
    first = a()
    return cond_op(_condition(first, "`and`"), b, lambda: first) if is_symbolic(first) else first and b()


def or_(a: Block, b: Block) -> Any:
    """`a() or b()`."""
    first = a()
    return cond_op(_condition(first, "`or`"), lambda: first, b) if is_symbolic(first) else first or b()


def not_(a: Any) -> Any:
    """`not a`."""
    return logical_not(a) if is_symbolic(a) else not a


def eq(a: Any, b: Any) -> Any:
    """`a == b`."""
    return a == b


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`."""
    return a != b


def assert_stmt(expression1: Any, expression2: Callable[[], Any]) -> None:
    """`assert expression1, expression2()`."""
    if isinstance(expression1, Tensor | Variable):
        Assert(_condition(expression1, "assert"), [expression2()])
    else:
        assert expression1, expression2()


# -- loops --


class _Loop:
    """The variables of a loop that is traced: those that an iteration may change, and those that it leaves alone."""

    def __init__(
        self,
        body: Callable[..., Any],
        get_state: GetState,
        set_state: SetState,
        names: Sequence[str],
        options: dict[str, Any],
        elements: Sequence[Tensor] = (),
    ) -> None:
        self._body, self._get, self._set, self._names = body, get_state, set_state, names
        self.before = list(get_state())
        self.is_object = [not _is_undefined(each) and not _is_staged(each) for each in self.before]
        if any(isinstance(each, UndefinedReturnValue) for each in self.before):
            raise OpNotImplementedError(
                "a return statement cannot be placed inside a loop that a tensor decides: what the function returns would be undefined "
                "as long as it was not reached. Assign the value to a variable that is defined before the loop, and `break`."
            )
        self.undefined = [i for i, each in enumerate(self.before) if _is_undefined(each) or each is None]
        self._may_vary = {id(tensor) for tensor, shape in options.get("shape_invariants", ()) if not _is_known(shape)}
        arrays = [each for each in nest.flatten(self.before) if isinstance(each, CompiledTensorArray)]
        if self.undefined or any(array.buffer is None for array in arrays):
            self._define(elements)

    def _define(self, elements: Sequence[Tensor]) -> None:
        """Learn from a trace of one iteration what variables are to begin with.

        Those that the loop itself defines are zeros of the shape that the iteration gives them. TensorArrays learn the shapes of their
        elements.
        """
        known: list[Tensor] = []
        structure = returned([each for i, each in enumerate(self.before) if self._is_defined(i)], known)
        found: list[Any] = []

        def iteration(*tensors: Tensor) -> list[Tensor]:
            values = iter(fill(structure, tensors[: len(known)]))
            self._set([next(values) if self._is_defined(i) else each for i, each in enumerate(self.before)])
            self._body(*tensors[len(known) :])
            found.extend(self._get())
            return []

        try:
            _scratch(iteration, [*[each._array for each in known], *[each._array[0] for each in elements]])
        finally:
            self._set(self.before)
        for i, after in enumerate(found):
            if i in self.undefined:
                self.before[i] = self._zeros(i, after)
                self.is_object[i] = not _is_staged(after)
            elif not self.is_object[i]:
                shapes: dict[int, Any] = {}
                with_elements(after, shapes)
                self.before[i] = with_elements(self.before[i], shapes)

    def _is_defined(self, i: int) -> bool:
        return i not in self.undefined and not self.is_object[i]

    def _zeros(self, i: int, like: Any) -> Any:
        name = _shown(self._names[i])
        if like is None:
            return None
        if _is_undefined(like):
            raise OpValueError(f"{name} must be defined before the loop, because an iteration may leave it undefined.")
        if not _is_staged(like):
            return like

        def zeros(value: Any) -> Any:
            spec = _described(value)
            return value if spec is None else convert(np.zeros(tuple(spec.shape), spec.dtype.numpy_dtype), None)

        return nest.map_structure(zeros, like)

    @property
    def begin(self) -> list[Any]:
        """The variables that are carried from iteration to iteration."""
        return [each for each, kept in zip(self.before, self.is_object) if not kept]

    def enter(self, carried: Sequence[Any]) -> None:
        """Assign the variables at the beginning of an iteration, or after the loop."""
        values = iter(carried)
        self._set([before if kept else next(values) for before, kept in zip(self.before, self.is_object)])

    def leave(self) -> list[Any]:
        """Return the variables that are carried, after an iteration, and check that they are what they were before."""
        after = self._get()
        for i, (before, now) in enumerate(zip(self.before, after)):
            self._check(i, before, now)
        return [each for each, kept in zip(after, self.is_object) if not kept]

    def _check(self, i: int, before: Any, after: Any) -> None:
        name = _shown(self._names[i])
        if self.is_object[i]:
            if after is not before and i not in self.undefined:
                raise OpTypeError(
                    f"{name} is {_kind(before)}, and another one after an iteration: only tensors, numbers and structures of them can "
                    "change in a loop that a tensor decides."
                )
            return
        if (after is None) != (before is None):
            raise OpValueError(f"{name} is None at the end of the iteration.")
        try:
            nest.assert_same_structure(before, after, check_types=False)
        except (TypeError, ValueError) as error:
            raise OpTypeError(
                f"{name} does not have the same nested structure after one iteration.\n\n{error}"
            ) from None
        for a, b in zip(nest.flatten(before), nest.flatten(after)):
            one, two = _described(a), _described(b)
            if one is None or two is None:
                continue
            if one.dtype != two.dtype:
                raise OpTypeError(
                    f"{name} has dtype {one.dtype.name} before the loop, but dtype {two.dtype.name} after one iteration"
                )
            if one.shape != two.shape:
                wording = f"{name} has shape {one.shape} before the loop, but shape {two.shape} after one iteration."
                if id(a) in self._may_vary:
                    raise OpNotImplementedError(Uncompilable(wording=literal(wording)))
                raise OpValueError(
                    f"{wording} Use tf.autograph.experimental.set_loop_options to set shape invariants, with which the "
                    "function runs as Python: a compiled loop keeps the shapes of its variables."
                )


def _is_known(shape: Any) -> bool:
    return as_shape(shape).is_fully_defined()


def _scratch(python: Callable[..., list[Tensor]], examples: Sequence[Any]) -> None:
    """Trace Python only to learn what it gives: nothing of it stays."""
    if state.context.replays:
        replay.trace_body(state.context, python, examples, watched=False)
    else:
        tracing.trace("an iteration", python, examples)


def while_stmt(
    test: Block,
    body: Block,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Sequence[str],
    opts: dict[str, Any],
) -> None:
    """`while test(): body()`; from the iteration on that a tensor decides about, the loop is traced."""
    while True:
        holds = test()
        if is_symbolic(holds):
            return _traced_while(test, body, get_state, set_state, symbol_names, opts)
        if not holds:
            return None
        body()


def _traced_while(
    test: Block, body: Block, get_state: GetState, set_state: SetState, names: Sequence[str], opts: dict[str, Any]
) -> None:
    loop = _Loop(body, get_state, set_state, names, opts)
    limit = opts.get("maximum_iterations")
    # The iterations are counted where a tensor limits their number, and where there must be one.
    counts = is_symbolic(limit) or bool(loop.undefined) or not loop.begin

    def condition(*carried: Any) -> Any:
        loop.enter(carried[counts:])
        holds = _condition(test(), "while loop")
        return logical_and(holds, less(carried[0], cast(limit, dtypes.int32))) if is_symbolic(limit) else holds

    def iteration(*carried: Any) -> list[Any]:
        loop.enter(carried[counts:])
        body()
        return [*([carried[0] + 1] if counts else []), *loop.leave()]

    begin = [*([convert(0, dtypes.int32)] if counts else []), *loop.begin]
    try:
        known = None if limit is None or is_symbolic(limit) else int(limit)
        final = traced_while_loop(condition, iteration, begin, known, differentiable=True)
    finally:
        set_state(tuple(loop.before))
    if loop.undefined:
        undefined = ", ".join(_shown(names[i]) for i in loop.undefined)
        Assert(greater(final[0], 0), [f"loop must iterate at least once to initialize {undefined}"])
    loop.enter(final[counts:])


def for_stmt(
    iter_: Any,
    extra_test: Block | None,
    body: Callable[[Any], Any],
    get_state: GetState,
    set_state: SetState,
    symbol_names: Sequence[str],
    opts: dict[str, Any],
) -> None:
    """`for target in iter_: body(target)`, as long as `extra_test()` holds, which a `break` or `return` ends."""
    options = {name: value for name, value in opts.items() if name != "iterate_names"}
    if isinstance(iter_, Range):
        _for_range(iter_, extra_test, body, get_state, set_state, symbol_names, options)
    elif state.context is not None and isinstance(iter_, Tensor | Variable):
        _for_rows(convert(iter_, None), extra_test, body, get_state, set_state, symbol_names, options)
    else:
        _for_python(iter_, extra_test, body)


def _for_python(iterable: Iterable[Any], extra_test: Block | None, body: Callable[[Any], Any]) -> None:
    for target in iterable:
        if extra_test is not None:
            goes_on = extra_test()
            if is_symbolic(goes_on):
                raise OpNotImplementedError(
                    "break and return statements which depend on a TF condition are not supported in Python for loops: a tensor "
                    "cannot end a loop over a Python iterable, which is unrolled. Loop over a tensor or tf.range instead."
                )
            if not goes_on:
                break
        body(target)


def _for_rows(
    rows: Tensor,
    extra_test: Block | None,
    body: Callable[[Any], Any],
    get_state: GetState,
    set_state: SetState,
    names: Sequence[str],
    opts: dict[str, Any],
) -> None:
    """Loop over the first axis of a tensor: the number of iterations is known."""
    length = len(rows)
    limit = opts.get("maximum_iterations")
    if is_symbolic(limit):
        raise OpNotImplementedError(
            Uncompilable(wording=literal("maximum_iterations of a loop over a tensor is a tensor."))
        )
    if limit is not None and int(limit) < length:
        length = int(limit)
        rows = rows[:length]
    if not length:
        return
    loop = _Loop(body, get_state, set_state, names, opts, [rows])
    carry: list[Tensor] = []
    structure = returned(loop.begin, carry)
    rows = convert(rows, None)

    def iteration(*tensors: Tensor) -> list[Tensor]:
        carried, row = fill(structure, tensors[:-1]), tensors[-1]
        loop.enter(carried)

        def turn() -> list[Any]:
            loop.enter(carried)
            body(row)
            return loop.leave()

        goes_on = True if extra_test is None else extra_test()
        if is_symbolic(goes_on):
            after = cond_op(_condition(goes_on, "for loop"), turn, lambda: list(carried))
        else:
            after = turn() if goes_on else list(carried)
        found: list[Tensor] = []
        returned(after, found)
        return found

    try:
        final, _ = state.context.control.loop("for", iteration, carry, [rows], length)
    finally:
        set_state(tuple(loop.before))
    loop.enter(fill(structure, final))


class Range:
    """A range with symbolic bounds, which a loop counts without computing it as a tensor."""

    def __init__(
        self, start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None
    ) -> None:
        if limit is None:
            start, limit = 0, start
        given = [each for each in (start, limit, delta) if isinstance(each, Tensor | Variable)]
        kinds = [each.dtype for each in given]
        wanted = (
            dtypes.as_dtype(dtype) if dtype is not None else max(kinds, key=lambda each: (each.is_floating, each.size))
        )
        self.start, self.limit, self.delta = [
            cast(convert(each, None), wanted) if isinstance(each, Tensor | Variable) else convert(each, wanted)
            for each in (start, limit, delta)
        ]

    def holds(self, number: Tensor) -> Tensor:
        """Return whether a number is before the end of the range."""
        if not is_symbolic(self.delta):
            return less(number, self.limit) if self.delta >= 0 else greater(number, self.limit)
        return logical_or(
            logical_and(self.delta >= 0, less(number, self.limit)),
            logical_and(less(self.delta, 0), greater(number, self.limit)),
        )


def _for_range(
    numbers: Range,
    extra_test: Block | None,
    body: Callable[[Any], Any],
    get_state: GetState,
    set_state: SetState,
    names: Sequence[str],
    opts: dict[str, Any],
) -> None:
    number: Any = numbers.start

    def test() -> Any:
        inside = numbers.holds(number)
        return inside if extra_test is None else and_(lambda: inside, extra_test)

    def iteration() -> None:
        nonlocal number
        now = number
        body(now)
        number = now + numbers.delta

    def get() -> State:
        return (number, *get_state())

    def set_(values: Any) -> None:
        nonlocal number
        number, *others = values
        set_state(others)

    _traced_while(test, iteration, get, set_, ("the number of the iteration", *names), opts)


# -- calls --


def _range(*args: Any) -> Any:
    return range_op(*args) if any(map(is_symbolic, args)) else builtins.range(*args)


def _sorted(iterable: Any, *, key: Any = None, reverse: Any = False) -> Any:
    if not is_symbolic(iterable):
        return builtins.sorted(iterable, key=key, reverse=reverse)
    if key is not None or convert(iterable, None).ndim != 1:
        raise OpValueError("sorted() of a symbolic tensor takes tensors of one axis, and no key")
    return sort(iterable, direction="DESCENDING" if reverse else "ASCENDING")


def _number(dtype: Any, python: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        return cast(args[0], dtype) if len(args) == 1 and is_symbolic(args[0]) else python(*args)

    return call


_BUILTINS: dict[Any, Callable[..., Any]] = {
    builtins.range: _range,
    builtins.sorted: _sorted,
    builtins.int: _number(dtypes.int32, builtins.int),
    builtins.float: _number(dtypes.float32, builtins.float),
}
_IN_CONTEXT = {eval: eval_in_original_context, super: super_in_original_context}


def converted_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, caller_fn_scope: Any = None) -> Any:
    """`f(*args, **kwargs)`; the user's functions are converted too."""
    named = kwargs or {}
    if type(f) is functools.partial:
        return converted_call(f.func, (*f.args, *args), {**f.keywords, **named}, caller_fn_scope)
    if isinstance(f, types.BuiltinFunctionType | type):
        if f in _BUILTINS:
            return _BUILTINS[f](*args, **named)
        if f in _IN_CONTEXT:
            return _IN_CONTEXT[f](f, args, caller_fn_scope)
        if f is globals:
            return globals_in_original_context(caller_fn_scope)
        if f is locals:
            return locals_in_original_context(caller_fn_scope)
        return f(*args, **named)
    target, given = f, args
    if not isinstance(f, types.FunctionType | types.MethodType):
        method = inspect.getattr_static(type(f), "__call__", None)
        if not isinstance(method, types.FunctionType):
            return f(*args, **named)
        target, given = method, (f, *args)
    if is_convertible(target):
        try:
            target = converted(target)
        except Unconvertible as error:
            log(1, f"AutoGraph could not transform {f!r} and will run it as-is.\nCause: {error}")
        return target(*given, **named)
    code = getattr(target, "__code__", None)
    # An op that takes functions, such as tf.map_fn, calls converted ones.
    if code is not None and is_ours(code.co_filename):
        return f(*map(_as_argument, args), **{name: _as_argument(each) for name, each in named.items()})
    return f(*args, **named)


def _as_argument(value: Any) -> Any:
    if is_convertible(value):
        try:
            return converted(value)
        except Unconvertible:
            return value
    return value


def iterated_call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, caller_fn_scope: Any = None) -> Any:
    """`f(*args, **kwargs)` where a `for` iterates over the result: a range with symbolic bounds is not computed."""
    named = kwargs or {}
    if (f is builtins.range or f is range_op) and any(map(is_symbolic, (*args, *named.values()))):
        return Range(*args, **named)
    return converted_call(f, args, kwargs, caller_fn_scope)
