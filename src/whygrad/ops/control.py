"""Control flow: branches, loops, maps and folds.

In eager mode, Python's `if` and `for` do the same inside a tape. A tape records the branch that was taken and each iteration of a
loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import flag
from whygrad.ops.creation import constant, zeros
from whygrad.ops.elementwise import cast, equal, greater, less, logical_not, logical_or, where
from whygrad.ops.shaping import broadcast_to, concat, stack, unstack
from whygrad.ops.tensor_array import TensorArray
from whygrad.values import dtypes, nest
from whygrad.values.composite import CompositeTensor
from whygrad.values.conversion import convert
from whygrad.values.errors import OpNotImplementedError, OpTypeError, OpValueError, OutOfRangeError, invalid
from whygrad.values.faults import LoopShapeVaries, ManyTruthValues, Uncompilable, literal
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.recorders import state
from whygrad.values.shapes import as_shape
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import SymbolicTensor, Tensor, value_of
from whygrad.values.variable import Variable

# -- branches --


def is_symbolic(value: Any) -> bool:
    """Return whether a value is a symbolic tensor, in a function that is being compiled."""
    if state.context is None or not isinstance(value, Tensor | Variable):
        return False
    return type(convert(value, None)) is SymbolicTensor


def _number(predicate: Any) -> Tensor:
    """The branch number for a condition: 0 where it holds."""
    tensor = convert(predicate, None)
    if tensor.ndim:
        raise invalid(f"a condition must be a scalar, but has shape {tensor.shape}")
    fails = logical_not(tensor) if tensor.dtype is dtypes.bool_ else equal(tensor, 0)
    return convert(cast(fails, dtypes.int32), None)


def _truth(predicate: Any) -> bool:
    """Convert a condition to a Python bool; reading a tensor or variable stays visible to the tape."""
    try:
        return bool(convert(predicate, None)._array) if isinstance(predicate, Tensor | Variable) else bool(predicate)
    except ValueError as error:
        raise OpValueError(ManyTruthValues(message=str(error))) from None


@export("cond")
def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Call `true_fn()` if `pred` is true, else `false_fn()`; the other is not called.

    >>> import whygrad as tf
    >>> x = tf.constant(3.0)
    >>> tf.cond(x > 2.0, lambda: x * x, lambda: -x).numpy()
    np.float32(9.0)
    """
    for argument, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if function is None:
            raise OpTypeError(f"cond(): {argument!r} argument required")
        if not callable(function):
            raise OpTypeError(f"{argument!r} must be callable.")
    if is_symbolic(pred):
        return state.context.control.choose(_number(pred), [true_fn, false_fn])
    return true_fn() if _truth(pred) else false_fn()  # type: ignore[misc]


@export("case")
def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Call the function of the first condition that is true, or `default`.

    With `exclusive`, raise if several conditions are true.

    >>> import whygrad as tf
    >>> x = tf.constant(3.0)
    >>> tf.case([(x < 1.0, lambda: x), (x < 5.0, lambda: x * 10.0)], default=lambda: -x).numpy()
    np.float32(30.0)
    """
    if isinstance(pred_fn_pairs, Mapping):
        pairs = [(_referent(predicate), function) for predicate, function in pred_fn_pairs.items()]
    elif isinstance(pred_fn_pairs, list | tuple):
        pairs = list(pred_fn_pairs)
    else:
        raise OpTypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise OpTypeError(f"Each entry in 'pred_fn_pairs' must be a 2-tuple. Received {pair}.")
        predicate, function = pair
        if not isinstance(predicate, Tensor | Variable):
            raise OpTypeError(f"pred must be a Tensor, got: {predicate}")
        if predicate.dtype is not dtypes.bool_:
            raise OpTypeError(f"pred must be Tensor of type bool: {predicate}")
        if not callable(function):
            raise OpTypeError(f"fn for pred {predicate} must be callable.")
    if default is not None and not callable(default):
        raise OpTypeError("default must be callable.")
    if not pairs:
        raise OpValueError("'pred_fn_pairs' must hold at least one pair of a condition and a function.")
    if any(is_symbolic(predicate) for predicate, _ in pairs):
        return _nested_cases(pairs, default)
    holds = [_truth(predicate) for predicate, _ in pairs]
    listed = ", ".join(str(each) for each in holds)
    if flag(exclusive, "exclusive") and sum(holds) > 1:
        raise invalid(
            f"Input error: exclusive=True: more than 1 conditions ({', '.join('?' * len(holds))}) evaluated as True: "
            f"{listed}"
        )
    for (_, function), held in zip(pairs, holds):
        if held:
            return function()
    if default is None:
        raise invalid(f"Input error: None of conditions evaluated as True: {listed}")
    return default()


def _nested_cases(pairs: list[Any], default: Callable[[], Any] | None) -> Any:
    """`case` inside a compiled function, as nested conditions. Without a default, the last condition is taken to be true."""
    (predicate, function), *rest = pairs
    if not rest and default is None:
        return function()
    otherwise = (lambda: _nested_cases(rest, default)) if rest else default
    return cond(predicate, function, otherwise)


def _referent(key: Any) -> Any:
    return key.deref() if hasattr(key, "deref") else key


@export("switch_case")
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None, name: str = "switch_case"
) -> Any:
    """Call function number `branch_index`; if it is out of range, `default` or the last function.

    >>> import whygrad as tf
    >>> tf.switch_case(tf.constant(1), [lambda: "zero", lambda: "one"], default=lambda: "many")
    'one'
    """
    branches = _branches(branch_fns)
    if default is not None and not callable(default):
        raise OpTypeError("'default' must be callable.")
    if not isinstance(branch_index, Tensor | Variable):
        raise OpTypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise OpTypeError(f"'branch_index' must be an integer Tensor, got {branch_index.dtype}")
    number = convert(branch_index, None)
    index = number._array
    if index.ndim:
        raise invalid(f"'branch_index' must be a scalar, but has shape {list(index.shape)}")
    if is_symbolic(number):
        functions = [*branches, branches[-1] if default is None else default]
        outside = logical_or(less(number, 0), greater(number, len(branches)))
        chosen = where(outside, constant(len(branches), number.dtype), number)
        return state.context.control.choose(cast(chosen, dtypes.int32), functions, "switch_case")
    if not 0 <= int(index) < len(branches):
        return (branches[-1] if default is None else default)()
    return branches[int(index)]()


def _branches(branch_fns: Any) -> list[Callable[[], Any]]:
    """The functions of a `switch_case`, in order of their numbers."""
    if isinstance(branch_fns, Mapping):
        pairs = list(branch_fns.items())
    elif isinstance(branch_fns, list | tuple):
        pairs = list(enumerate(branch_fns)) if all(callable(each) for each in branch_fns) else list(branch_fns)
    else:
        raise OpTypeError("'branch_fns' must be a list, tuple, or dict")
    if not pairs:
        raise OpValueError("Must provide at least one item in 'branch_fns'")
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise OpTypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair}.")
        if not isinstance(pair[0], int):
            raise OpTypeError(f"key must be a Python `int`, got {type(pair[0])}")
        if not callable(pair[1]):
            raise OpTypeError(f"fn for key {pair[0]} must be callable.")
    pairs.sort(key=lambda pair: pair[0])
    keys = [key for key, _ in pairs]
    if keys != list(range(len(keys))):
        found = ",".join(str(key) for key in keys)
        raise OpValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found {{{found}}}"
        )
    return [function for _, function in pairs]


# -- loops --


def _positive(parallel_iterations: Any) -> None:
    if parallel_iterations is None or isinstance(parallel_iterations, Tensor):
        return  # iterations run one after the other, whatever the number is
    if not (isinstance(parallel_iterations, int) and parallel_iterations > 0):
        raise OpTypeError("'parallel_iterations' must be a positive integer.")


@export("while_loop")
def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Repeat `loop_vars = body(*loop_vars)` while `cond(*loop_vars)` is true, at most `maximum_iterations` times.

    >>> import whygrad as tf
    >>> i, power = tf.while_loop(lambda i, p: i < 5, lambda i, p: (i + 1, p * 2.0), (0, tf.constant(1.0)))
    >>> i.numpy(), power.numpy()
    (np.int32(5), np.float32(32.0))
    """
    if not callable(cond):
        raise OpTypeError("'cond' must be callable.")
    if not callable(body):
        raise OpTypeError("'body' must be callable.")
    _positive(parallel_iterations)
    if not isinstance(loop_vars, list | tuple) or not loop_vars:
        raise OpValueError("'loop_vars' must be provided.")
    limit = None
    if maximum_iterations is not None:
        given = convert(maximum_iterations, None)
        if given.ndim:
            raise OpValueError(f"'maximum_iterations' must be a scalar. Received shape: {given.shape}")
        limit = int(value_of(given))
    if state.context is not None:
        return traced_while_loop(cond, body, loop_vars, limit, shape_invariants)
    current: Any = loop_vars
    turns = 0
    while (limit is None or turns < limit) and _truth(cond(*current)):
        turned = body(*current)
        if not isinstance(turned, list | tuple) and len(loop_vars) == 1:
            turned = [turned] if isinstance(loop_vars, list) else (turned,)  # a single variable may be returned bare
        nest.assert_same_structure(list(current), list(turned), check_types=False)
        current = turned
        turns += 1
    return nest.map_structure(_loop_value, current)


def traced_while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    limit: int | None,
    shape_invariants: Any = None,
    differentiable: bool = False,
) -> Any:
    """`while_loop` in a function that is being traced; see `whygrad.compile.control_flow.while_loop`."""
    try:
        return state.context.control.while_loop(cond, body, loop_vars, limit, differentiable)
    except OpValueError as error:
        if isinstance(error.fault, LoopShapeVaries) and not _are_known(shape_invariants):
            raise OpNotImplementedError(Uncompilable(wording=literal(str(error)))) from None
        raise


def _are_known(shape_invariants: Any) -> bool:
    """Return whether no shape may change from one iteration to the next."""
    shapes = [getattr(each, "shape", each) for each in nest.flatten(shape_invariants)]
    return all(as_shape(each).is_fully_defined() for each in shapes if each is not None)


def _loop_value(value: Any) -> Any:
    return value if isinstance(value, TensorArray | CompositeTensor | IndexedSlices) else convert(value, None)


# -- maps and folds over the first axis --


def _iterations(items: Iterable[Any]) -> Iterable[Any]:
    """What a loop over known values goes through. A function that is being traced takes it for one loop."""
    return items if state.context is None else state.context.iterations(items)


def _elements(elems: Any) -> list[list[Tensor]]:
    """Unstack each tensor of the structure `elems` along its first axis; all have the same length."""
    return [unstack(tensor) for tensor in nest.flatten(_checked_elements(elems))]


def _no_tensors(elems: Any) -> Exception:
    return OpValueError(
        f"elems must be a Tensor or (possibly nested) sequence of Tensors. Got {elems}, which does not contain any Tensors."
    )


def _checked_elements(elems: Any) -> Any:
    """Convert the structure `elems` to tensors of the same length."""
    tensors = [convert(each, None) for each in nest.flatten(elems)]
    if not tensors:
        raise _no_tensors(elems)
    if not all(tensor.ndim for tensor in tensors):
        raise OpValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    length = len(tensors[0])
    for tensor in tensors:
        if len(tensor) != length:
            raise OpValueError(f"Dimensions {length} and {len(tensor)} are not compatible")
    return nest.pack_sequence_as(elems, tensors)


def results_of_rows(
    fn: Callable[[Any], Any], elems: Any, counts: list[int], row: Callable[[int], list[Any]], expected: Any
) -> list[list[Any]]:
    """The results of `fn` for each row of composite elements: for each part of the structure `expected`, one result a row.

    `counts` are the numbers of rows of the elements, and `row(i)` is row `i` of each of them.
    """
    if not counts:
        raise _no_tensors(elems)
    if len(set(counts)) > 1:
        raise invalid(f"the elements of map_fn have different numbers of rows: {sorted(set(counts))}")
    results: list[list[Any]] = [[] for _ in nest.flatten(expected)]
    for i in _iterations(range(counts[0])):
        result = fn(nest.pack_sequence_as(elems, row(i)))
        nest.assert_same_structure(expected, result)
        for collected, each in zip(results, nest.flatten(result)):
            collected.append(each)
    return results


def _called(fn: Any) -> Callable[..., Any]:
    if not callable(fn):
        raise OpTypeError(f"The provided function {fn} is not callable.")
    return fn  # type: ignore[no-any-return]


@export("map_fn")
def map_fn(
    fn: Callable[[Any], Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """Stack the results of `fn` for each element along the first axis of `elems`.

    If the results differ from `elems` in dtype or structure, `fn_output_signature` must say so.

    >>> import whygrad as tf
    >>> tf.map_fn(lambda row: tf.reduce_sum(row), tf.constant([[1.0, 2.0], [3.0, 4.0]])).numpy()
    array([3., 7.], dtype=float32)
    """
    _called(fn)
    _positive(parallel_iterations)
    infer_shape = flag(infer_shape, "infer_shape")
    if any(is_symbolic(each) for each in nest.flatten(elems)):
        return state.context.control.each("map_fn", fn, _checked_elements(elems))
    parts = _elements(elems)
    length = len(parts[0])
    signature = fn_output_signature if fn_output_signature is not None else dtype
    if signature is None:
        specs: list[Any] = [convert(each, None).dtype for each in nest.flatten(elems)]
    else:
        specs = nest.flatten(signature)
    arrays = [_results(spec, length, infer_shape) for spec in specs]
    expected = elems if signature is None else signature
    for i in _iterations(range(length)):
        result = fn(nest.pack_sequence_as(elems, [part[i] for part in parts]))
        nest.assert_same_structure(expected, result)
        for array, value in zip(arrays, nest.flatten(result)):
            array.write(i, value)
    return nest.pack_sequence_as(expected, [array.stack() for array in arrays])


def _results(spec: Any, length: int, infer_shape: bool) -> TensorArray:
    """The TensorArray for the results that a dtype or a TensorSpec describes."""
    if isinstance(spec, TensorSpec):
        return TensorArray(spec.dtype, length, infer_shape=infer_shape, element_shape=spec.shape)
    return TensorArray(spec, length, infer_shape=infer_shape)


@export("vectorized_map")
def vectorized_map(fn: Callable[[Any], Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True) -> Any:
    """Stack the results of `fn` for each element along the first axis of `elems`, in the structure and dtypes that `fn` returns.

    A tensor of length 1 is repeated to the length of the others.

    >>> import whygrad as tf
    >>> a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> tf.vectorized_map(lambda row: tf.tensordot(row, row, 1), a).numpy()
    array([ 5., 25.], dtype=float32)
    """
    _called(fn)
    tensors = [convert(each, None) for each in nest.flatten(elems)]
    if not tensors:
        raise OpValueError("vectorized_map: elems must hold at least one tensor")
    if not all(tensor.ndim for tensor in tensors):
        raise OpValueError("Elements in elems must be 1+ dimensional Tensors, not scalars")
    length = max(len(tensor) for tensor in tensors)
    if any(len(tensor) == 0 for tensor in tensors):
        length = 0
    for tensor in tensors:
        if len(tensor) not in (1, length):
            raise invalid(f"vectorized_map: elems have {len(tensor)} and {length} elements along their first axes")
    if length and any(is_symbolic(tensor) for tensor in tensors):
        repeated = [broadcast_to(tensor, (length, *tensor.shape[1:])) for tensor in tensors]
        return state.context.control.each("vectorized_map", fn, nest.pack_sequence_as(elems, repeated))
    parts = [unstack(tensor) * (length if len(tensor) == 1 and length > 1 else 1) for tensor in tensors]
    if not length:
        return _map_empty(fn, elems, tensors)
    results = [fn(nest.pack_sequence_as(elems, [part[i] for part in parts])) for i in range(length)]
    flat = [nest.flatten(result) for result in results]
    stacked = [
        None if all(value is None for value in values) else stack([convert(value, None) for value in values])
        for values in zip(*flat)
    ]
    return nest.pack_sequence_as(results[0], stacked)


def _map_empty(fn: Callable[[Any], Any], elems: Any, tensors: list[Tensor]) -> Any:
    """Map over no elements: `fn` of zeros gives the shapes and dtypes of the result."""
    one = [zeros(tensor.shape[1:], tensor.dtype) for tensor in tensors]
    result = fn(nest.pack_sequence_as(elems, one))
    return nest.map_structure(lambda value: stack([convert(value, None)])[:0], result)


@export("foldl")
def foldl(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Fold `fn(accumulated, element)` along the first axis, from the first element to the last.

    Without an `initializer`, the first element is the initial value.

    >>> import whygrad as tf
    >>> tf.foldl(lambda total, x: total * 10 + x, tf.constant([1, 2, 3])).numpy()
    np.int32(123)
    """
    return _fold(fn, elems, initializer, parallel_iterations, backwards=False)


@export("foldr")
def foldr(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Fold `fn(accumulated, element)` along the first axis, from the last element to the first.

    >>> import whygrad as tf
    >>> tf.foldr(lambda total, x: total * 10 + x, tf.constant([1, 2, 3])).numpy()
    np.int32(321)
    """
    return _fold(fn, elems, initializer, parallel_iterations, backwards=True)


def _fold(fn: Any, elems: Any, initializer: Any, parallel_iterations: Any, backwards: bool) -> Any:
    if _is_compiled(elems, initializer):
        return _compiled_fold("foldr" if backwards else "foldl", fn, elems, initializer, backwards)[0]
    accumulated, rest = _beginning(fn, elems, initializer, parallel_iterations, backwards)
    for _, element in _iterations(rest):
        turned = fn(accumulated, element)
        nest.assert_same_structure(accumulated, turned, check_types=False)
        accumulated = turned
    return nest.map_structure(_loop_value, accumulated)


def _is_compiled(elems: Any, initializer: Any) -> bool:
    return state.context is not None and any(is_symbolic(each) for each in nest.flatten((elems, initializer)))


def _compiled_fold(name: str, fn: Any, elems: Any, initializer: Any, backwards: bool, collects: bool = False) -> Any:
    """A fold inside a compiled function: its last value and, if it `collects`, all values after the first."""
    checked = _checked_elements(elems)
    begin = initializer
    if initializer is None:
        first, rest = (-1, slice(None, -1)) if backwards else (0, slice(1, None))
        begin = nest.map_structure(lambda each: each[first], checked)
        checked = nest.map_structure(lambda each: each[rest], checked)
    begin = nest.map_structure(lambda each: convert(each, None), begin)
    final, collected = state.context.control.fold(name, _called(fn), begin, checked, backwards, collects)
    if collects and initializer is None:
        parts = (lambda a, b: concat([b, a[None]], 0)) if backwards else (lambda a, b: concat([a[None], b], 0))
        collected = nest.map_structure(parts, begin, collected)
    return final, collected


def _beginning(
    fn: Any, elems: Any, initializer: Any, parallel_iterations: Any, backwards: bool
) -> tuple[Any, list[tuple[int, Any]]]:
    """The initial value of a fold, and the remaining elements with their indices."""
    _called(fn)
    _positive(parallel_iterations)
    parts = _elements(elems)
    numbers = list(range(len(parts[0])))
    if flag(backwards, "reverse"):
        numbers.reverse()
    elements = [(i, nest.pack_sequence_as(elems, [part[i] for part in parts])) for i in numbers]
    if initializer is not None:
        return nest.map_structure(lambda value: convert(value, None), initializer), elements
    if not elements:
        raise OutOfRangeError(
            None,
            None,
            "Reading from negative indices (index -1) is not allowed."
            if backwards
            else "Tried to read from index 0 but array size is: 0",
        )
    return elements[0][1], elements[1:]


@export("scan")
def scan(
    fn: Callable[[Any, Any], Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """Like `foldl`, but stack all intermediate values; with `reverse`, from the last element to the first.

    >>> import whygrad as tf
    >>> tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3])).numpy()
    array([1, 3, 6], dtype=int32)
    >>> tf.scan(lambda total, x: total + x, tf.constant([1, 2, 3]), reverse=True).numpy()
    array([6, 5, 3], dtype=int32)
    """
    if _is_compiled(elems, initializer):
        return _compiled_fold("scan", fn, elems, initializer, reverse, collects=True)[1]
    begin, rest = _beginning(fn, elems, initializer, parallel_iterations, reverse)
    length = len(convert(nest.flatten(elems)[0], None))
    flat = [convert(value, None) for value in nest.flatten(begin)]
    infer_shape = flag(infer_shape, "infer_shape")
    arrays = [
        TensorArray(value.dtype, length, infer_shape=infer_shape, element_shape=value.shape if infer_shape else None)
        for value in flat
    ]
    accumulated = begin
    if initializer is None:
        for array, value in zip(arrays, flat):
            array.write(length - 1 if reverse else 0, value)
    for i, element in _iterations(rest):
        accumulated = fn(accumulated, element)
        nest.assert_same_structure(begin, accumulated)
        for array, value in zip(arrays, nest.flatten(accumulated)):
            array.write(i, value)
    return nest.pack_sequence_as(begin, [array.stack() for array in arrays])
