"""Calls with one bad argument: each succeeds, or fails with a class of TensorFlow's and a message of whygrad's own.

Valid calls are noted while the rows of the table of ops and the examples in the docstrings run. Then one argument of such a call,
or one element of a list in it, is replaced by something that it was not meant for.

    python -m tests.ops.test_bad_arguments --calls 100000 --seed 1    # a long run, with a summary by function and class
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import doctest
import importlib
import inspect
import io
import math
import random
import re
import resource
import signal
import sys
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import whygrad as tf
from tests.numpy.rows import ROWS as NUMPY_ROWS
from tests.ops.table import CASES
from whygrad._public.table import TABLE
from whygrad.values.errors import Explained

NAMESPACES = (
    "", "bitwise", "debugging", "dtypes", "image", "linalg", "math", "math_special", "nest", "nn", "nn_experimental", "numpy",
    "numpy.fft", "numpy.linalg", "random", "random_experimental", "signal",
)  # fmt: skip
# What changes the state of the process, prints, or runs whatever it is given.
NOT_CALLED = {
    "Assert", "GradientTape", "Module", "Tensor", "control_dependencies", "custom_gradient", "device", "disable_check_numerics",
    "disable_dispatch", "enable_check_numerics", "enable_dispatch", "experimental_enable_numpy_behavior", "function", "get_logger",
    "gradients", "hessians", "init_scope", "numpy_function", "print", "py_function", "recompute_grad",
    "load_ipython_extension",
    "register_tensor_conversion_function", "set_global_generator", "set_log_device_placement", "set_printoptions", "tracing",
    "while_loop", "why",
}  # fmt: skip
PYTHON_CLASSES = (TypeError, ValueError, IndexError, NotImplementedError)
CLASSES_OF: dict[str, tuple[type[Exception], ...]] = {
    "image": (*PYTHON_CLASSES, AttributeError),  # TensorFlow's class for a dtype that no image has
    # NumPy's classes for a number that its dtype cannot hold, and for weights of `average` that add up to zero
    "numpy": (*PYTHON_CLASSES, OverflowError, ZeroDivisionError),
}
SECONDS = 5  # that one call may take
MEMORY = 2**30  # bytes that one call may take


@dataclass(frozen=True)
class Call:
    """A valid call of a public function."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


# -- valid calls --


class _Noting:
    """Stands for a public namespace, and notes the calls of its functions."""

    def __init__(self, module: types.ModuleType, calls: list[Call]) -> None:
        self._module, self._calls = module, calls

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._module, name)
        if isinstance(value, types.ModuleType):
            return _Noting(value, self._calls)
        if not _is_function(value):
            return value

        def noting(*args: Any, **kwargs: Any) -> Any:
            result = value(*args, **kwargs)
            self._calls.append(Call(value, args, kwargs))
            return result

        return noting


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)


def public_functions() -> dict[str, Callable[..., Any]]:
    """The public functions by name."""
    found: dict[str, Callable[..., Any]] = {}
    for namespace in NAMESPACES:
        module = importlib.import_module(f"whygrad.{namespace}".rstrip("."))
        if module.__name__ in TABLE:
            declared = [each.rpartition(":")[2] for home in TABLE[module.__name__].values() for each in home.split()]
        else:
            declared = [
                each for each, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
            ]
        for name in sorted(each for each in declared if not each.startswith("_")):
            value = getattr(module, name)
            if _is_function(value) and name not in NOT_CALLED:
                found[f"{namespace.replace('_', '.')}.{name}".lstrip(".")] = value
    return found


def valid_calls() -> dict[str, list[Call]]:
    """Valid calls by the name of the function: of the rows of the table, and of the docstrings' examples."""
    calls: list[Call] = []
    noting = _Noting(tf, calls)
    for case in CASES:
        with contextlib.suppress(Exception):
            case.function(noting, *[tf.constant(each) for each in case.draw(case.dtypes[0])])
    for row in NUMPY_ROWS:
        with contextlib.suppress(Exception):
            row.function(noting.numpy, *[tf.constant(each) for each in row.draw()])
    functions = public_functions()
    for function in functions.values():
        _run_examples(function, noting)
    by_function: dict[int, list[Call]] = collections.defaultdict(list)
    for call in calls:
        by_function[id(call.function)].append(call)
    named = {name: by_function.get(id(function)) for name, function in functions.items()}
    return {name: found for name, found in named.items() if found}


def _run_examples(function: Callable[..., Any], noting: _Noting) -> None:
    values: dict[str, Any] = {"tf": noting, "np": np, "tnp": noting.numpy, "wnp": noting.numpy}
    standins = {id(tf): noting, id(tf.numpy): noting.numpy}
    with contextlib.suppress(ValueError):
        for example in doctest.DocTestParser().get_examples(inspect.getdoc(function) or ""):
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(example.source, "<example>", "exec"), values)
            if "import" in example.source:
                values.update({name: standins[id(each)] for name, each in values.items() if id(each) in standins})


# -- bad arguments --


def _a_function(*args: Any, **kwargs: Any) -> None:
    return None


class _AnObject:
    """Something that whygrad knows nothing of."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


BAD_VALUES: list[Callable[[], Any]] = [
    lambda: None, lambda: "text", lambda: "", lambda: b"bytes", lambda: 0.5, lambda: 2.0, lambda: math.nan, lambda: math.inf,
    lambda: -math.inf, lambda: -1, lambda: 0, lambda: -7, lambda: 100, lambda: 2**31, lambda: 2**63, lambda: 2**70,
    lambda: -(2**63) - 1, lambda: True, lambda: 1 + 2j, list, lambda: (), lambda: [[]], lambda: [[1, 2], [3, 4]],
    lambda: [[1], [2, 3]], lambda: [1, [2]], lambda: [None], lambda: ["a", "b"], lambda: [0.5, 1.5], lambda: [2**40, 2**40],
    lambda: [2**62, 2**62], lambda: [2**70], lambda: [-1, -1], lambda: [0, 0], lambda: [1, 2, 3, 4, 5, 6, 7, 8, 9], dict,
    lambda: {"a": 1}, lambda: {1, 2}, _AnObject, lambda: _AnObject, lambda: _a_function, lambda: (each for each in (1, 2)),
    lambda: range(3), lambda: slice(1, 2), lambda: ..., lambda: NotImplemented, lambda: np.float64(1.5), lambda: np.int8(3),
    lambda: np.array(["a"]), lambda: np.array([None, 1], object), lambda: np.zeros(0), lambda: np.datetime64("2020-01-01"),
    lambda: np.ones((2, 2, 2)), lambda: tf.constant(1.5), lambda: tf.constant(3), lambda: tf.constant(-1),
    lambda: tf.constant("text"), lambda: tf.constant(True), lambda: tf.constant([1, 2]), lambda: tf.constant([1.0, 2.0]),
    lambda: tf.constant(1 + 2j), lambda: tf.ones([2, 3]), lambda: tf.zeros([0]), lambda: tf.zeros([2, 0, 3]),
    lambda: tf.ones([1, 2, 1, 2, 1, 2]), lambda: tf.ones([2, 3], tf.float16), lambda: tf.ones([3], tf.bfloat16),
    lambda: tf.constant([2**62], tf.int64), lambda: tf.constant([1], tf.uint8), lambda: tf.constant([[1, 2], [3, 4]]),
    lambda: tf.Variable([1.0, 2.0]), lambda: tf.Variable(2), lambda: tf.IndexedSlices(tf.ones([1, 2]), [0], [3, 2]),
    lambda: tf.TensorShape(None), lambda: tf.TensorShape([2, None]), lambda: tf.float32, lambda: tf.int32, lambda: tf.string,
]  # fmt: skip


def draw(rng: random.Random, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The call's arguments, one of them replaced."""
    args, kwargs = list(call.args), dict(call.kwargs)
    places: list[Any] = [*range(len(args)), *kwargs]
    with contextlib.suppress(ValueError, TypeError):
        signature = inspect.signature(call.function)
        given = signature.bind(*args, **kwargs).arguments
        takes = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        places += [name for name, each in signature.parameters.items() if each.kind in takes and name not in given]
    if not places:
        return call.args, kwargs
    place = rng.choice(places)
    holder: Any = args if isinstance(place, int) else kwargs
    bad = rng.choice(BAD_VALUES)()
    old = holder[place] if isinstance(place, int) else kwargs.get(place)
    if isinstance(old, list | tuple) and old and rng.random() < 0.4:
        items = list(old)
        items[rng.randrange(len(items))] = bad
        bad = items if type(old) is list else tuple(items)
    holder[place] = bad
    return tuple(args), kwargs


# -- what came of a call --


class _TooLong(BaseException):
    """Raised by the alarm."""


def _alarm(*_: Any) -> None:
    raise _TooLong


@contextlib.contextmanager
def limited_memory() -> Iterator[None]:
    """Let the process take `MEMORY` bytes more than it has."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as status:
        taken = int(status.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + MEMORY, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _of_callback(error: BaseException) -> bool:
    """Whether a function that the call was given raised it: that is the caller's own error."""
    frames = [each.filename for each in traceback.extract_tb(error.__traceback__)]
    return len(frames) > 2 and any("/tests/" in each or each == "<example>" for each in frames[2:])


def outcome(name: str, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """ "" if the call succeeded or failed as it should, else what is wrong with it."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        function(*args, **kwargs)
    except tf.errors.OpError:
        return ""
    except _TooLong:
        return f"more than {SECONDS} s"
    except Exception as error:
        classes = CLASSES_OF.get(name.partition(".")[0], PYTHON_CLASSES)
        if (isinstance(error, Explained) and isinstance(error, classes)) or _of_callback(error):
            return ""
        where = traceback.extract_tb(error.__traceback__)
        place = next(
            (
                f"{each.filename.rpartition('/')[2]}:{each.lineno}"
                for each in reversed(where)
                if "/whygrad/" in each.filename
            ),
            "",
        )
        own = "own " if isinstance(error, Explained) else ""
        return f"{own}{type(error).__name__}: {str(error).splitlines()[0][:100] if str(error) else ''}  at {place}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def trial(calls: int, seed: int, only: str = "") -> tuple[list[tuple[str, str, str]], int]:
    """Draw this many bad calls; those that went wrong, each with the function, the call and what happened, and how many succeeded."""
    known = valid_calls()
    names = [name for name in known if re.search(only, name)]
    generators = {name: random.Random(f"{seed} {name}") for name in names}  # a new function changes no other's draws
    faults = []
    before = signal.signal(signal.SIGALRM, _alarm)
    try:
        with warnings.catch_warnings(), limited_memory(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            for i in range(calls):
                name = names[i % len(names)]
                rng = generators[name]
                call = rng.choice(known[name])
                args, kwargs = draw(rng, call)
                found = outcome(name, call.function, args, kwargs)
                if found:
                    faults.append((name, _shown(args, kwargs), found))
    finally:
        signal.signal(signal.SIGALRM, before)
        tf.random.set_seed(None)
    return faults, len(names)


def _shown(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    parts = [_brief(each) for each in args] + [f"{name}={_brief(each)}" for name, each in kwargs.items()]
    return ", ".join(parts)


def _brief(value: Any) -> str:
    if isinstance(value, tf.Tensor | tf.Variable):
        return f"<{value.dtype.name} {tuple(value.shape)}>"
    if isinstance(value, np.ndarray):
        return f"array<{value.dtype} {value.shape}>"
    text = repr(value)
    return text if len(text) < 50 else text[:47] + "..."


# -- tests --


def test_every_family_has_valid_calls():
    known = valid_calls()
    missing = [name for name in public_functions() if name not in known]
    assert len(known) > 900
    assert len(missing) < 10, missing


def test_bad_arguments_are_refused_with_our_words():
    faults, _ = trial(6000, seed=0)
    assert not faults, "\n".join(f"{name}({shown}): {found}" for name, shown, found in faults[:20])


_SEVERAL = np.array([None, 1], object)
_RAGGED = [[1], [2, 3]]


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.numpy.ravel([1.0], order=_SEVERAL),
        lambda: tf.numpy.pad([1.0], 1, _SEVERAL),
        lambda: tf.numpy.average([1.0], returned=_SEVERAL),
        lambda: tf.numpy.cov([1.0, 2.0], rowvar=_SEVERAL),
        lambda: tf.numpy.polyfit([1.0, 2.0], [1.0, 2.0], 1, full=_SEVERAL),
        lambda: tf.numpy.meshgrid([1.0], indexing=_SEVERAL),
        lambda: tf.numpy.setxor1d([1], [2], assume_unique=_SEVERAL),
        lambda: tf.numpy.linalg.vector_norm([1.0], ord=_SEVERAL),
        lambda: tf.numpy.percentile([1.0], 1 + 2j),
        lambda: tf.numpy.take([1.0], "text", mode="wrap"),
        lambda: tf.numpy.insert([1.0], _RAGGED, 2.0),
        lambda: tf.numpy.histogram([1.0], _RAGGED),
        lambda: tf.numpy.fmod("text", 0.5),
        lambda: tf.numpy.array([1.0], ndmin=2**31),
        lambda: tf.numpy.vander(tf.ones([3], tf.bfloat16)),
        lambda: tf.numpy.fromfunction(lambda i, j: i + j, (2, 2, 2)),
        lambda: tf.nest.flatten([1], expand_composites=_SEVERAL),
        lambda: tf.nest.pack_sequence_as([1], [2], expand_composites=_SEVERAL),
        lambda: tf.linalg.lstsq([[1.0]], [[1.0]], fast=_SEVERAL),
        lambda: tf.math.confusion_matrix(tf.IndexedSlices(tf.ones([1, 2]), [0]), [0]),
        lambda: tf.pad([1], [[1, 1]], constant_values=_RAGGED),
        lambda: tf.nn.conv2d_transpose(tf.ones([1, 2, 2, 3]), [0.5, 1.5], [4, 4], 2),
        lambda: tf.nn.collapse_repeated([[1]], ["a"]),
        lambda: tf.nn.ctc_unique_labels([["a"]]),
        lambda: tf.nn.embedding_lookup([tf.ones([2, 2]), tf.ones([2, 2])], "text"),
        lambda: tf.signal.irfftnd(tf.ones([3, 6], tf.complex64), axes=[]),
        lambda: tf.range("text", dtype=tf.float32),
    ],
)
def test_calls_that_once_showed_a_bare_message(call):
    with pytest.raises((tf.errors.OpError, Explained)):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.repeat(tf.ones([2, 3]), [2**31, 0, 3], axis=-1),
        lambda: tf.signal.linear_to_mel_weight_matrix(2**31, 17, 16000, 20.0, 8000.0),
        lambda: tf.signal.mdct(tf.ones([20]), 2**31, window_fn=None),
    ],
)
def test_what_does_not_fit_is_resource_exhausted(call):
    with limited_memory(), pytest.raises(tf.errors.ResourceExhaustedError):
        call()


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw calls with bad arguments, and sum up what went wrong.")
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression for the names of functions")
    parser.add_argument("--show", type=int, default=100, help="how many kinds of faults to show")
    given = parser.parse_args()
    start = time.time()
    faults, functions = trial(given.calls, given.seed, given.only)
    print(f"{given.calls} bad calls of {functions} functions in {time.time() - start:.0f} s: {len(faults)} went wrong")
    by_class = collections.Counter(found.partition(":")[0] for _, _, found in faults)
    print("by class:", dict(by_class.most_common()))
    by_function = collections.Counter(name for name, _, _ in faults)
    print("by function:", dict(by_function.most_common(80)))
    kinds: dict[str, list[tuple[str, str, str]]] = collections.defaultdict(list)
    for fault in faults:
        kinds[fault[2].rpartition("  at ")[2] + " " + fault[2].partition(":")[0]].append(fault)
    for place, found in sorted(kinds.items(), key=lambda each: -len(each[1]))[: given.show]:
        name, shown, what = found[0]
        print(f"{len(found):5} {place}\n        {name}({shown})\n        {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
