"""`tf.test.TestCase`: unittest with assertions about tensors, arrays and nested structures of them."""

from __future__ import annotations

import contextlib
import operator
import os
import random
import re
import tempfile
import unittest
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.ops.random_streams import set_seed
from whygrad.values import nest
from whygrad.values.composite import TensorLikeComposite
from whygrad.values.conversion import convert
from whygrad.values.dtypes import as_dtype
from whygrad.values.errors import InvalidArgumentError, OpError, OpRuntimeError
from whygrad.values.indexed_slices import IndexedSlices
from whygrad.values.tensor import Tensor
from whygrad.values.variable import Variable

Array = Any

_SEED = 87654321  # TensorFlow's seed, so that tests draw the same random numbers


@export("test.TestCase")
class TestCase(unittest.TestCase):
    """A test case with assertions about tensors. Every test starts from the same seeds.

    >>> import whygrad as tf
    >>> case = tf.test.TestCase()
    >>> case.assertAllEqual(tf.constant([1, 2]), [1, 2])
    >>> case.assertAllClose({"a": tf.constant(0.1)}, {"a": 0.1})
    """

    def setUp(self) -> None:
        """Set the seeds of Python's, NumPy's and whygrad's random numbers."""
        super().setUp()
        random.seed(_SEED)
        np.random.seed(_SEED)
        set_seed(_SEED)

    def get_temp_dir(self) -> str:
        """A directory that lasts as long as the test."""
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return made.name

    # -- sessions: every tensor has its value --

    def evaluate(self, tensors: Any) -> Any:
        """The values of a structure of tensors; of a sparse tensor, its parts as arrays."""
        return nest.map_structure(_evaluated, tensors)

    @contextlib.contextmanager
    def session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False
    ) -> Iterator[_Session]:
        """A context whose `run` is `evaluate`, for tests that were written for sessions."""
        yield _Session(self)

    cached_session = session

    def test_session(
        self, graph: Any = None, config: Any = None, use_gpu: bool = True, force_gpu: bool = False
    ) -> contextlib.AbstractContextManager[_Session]:
        """The older name of `session`. Test runners take it for a test by its name: then it is skipped, as in TensorFlow."""
        if self._testMethodName == "test_session":
            self.skipTest("Not a test.")
        return self.session(graph, config, use_gpu, force_gpu)

    test_session.__test__ = False  # type: ignore[attr-defined]  # for pytest

    @contextlib.contextmanager
    def captureWritesToStream(self, stream: Any) -> Iterator[_CapturedWrites]:
        """A context that captures what is written to a stream, such as `sys.stderr`, and to its file descriptor.

        `captured.contents()` is the text so far.
        """
        stream.flush()
        descriptor = stream.fileno()
        original = os.dup(descriptor)
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), descriptor)
            captured = _CapturedWrites(stream, file)
            try:
                yield captured
            finally:
                captured.close()
                os.dup2(original, descriptor)
                os.close(original)

    # -- equal and close --

    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Fail unless shapes, or the rows of ragged tensors, and elements are equal; nan equals nan."""
        if _is_ragged(a) or _is_ragged(b):
            self.assertEqual(_rows(a), _rows(b), msg)
            return
        a, b = _array(a), _array(b)
        self._assert_everywhere(_equal(a, b) if a.shape == b.shape else None, a, b, "equal", msg)

    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Fail if shapes and elements are equal."""
        a, b = _array(a), _array(b)
        if a.shape == b.shape and np.all(_equal(a, b)):
            self.fail(_with_user_message("The two values are equal at all elements.", msg))

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Fail unless structures and shapes are equal and elements differ by at most `atol + rtol * |b|`."""
        if _is_ragged(a) or _is_ragged(b):
            a, b = _rows(a), _rows(b)
        if isinstance(a, Mapping) or isinstance(b, Mapping):
            self.assertIsInstance(a, Mapping, msg)
            self.assertIsInstance(b, Mapping, msg)
            self.assertCountEqual(a.keys(), b.keys(), msg)
            for key in a:
                self.assertAllClose(a[key], b[key], rtol, atol, _with_user_message(f"under key {key!r}", msg))
            return
        if isinstance(a, list | tuple) and isinstance(b, list | tuple) and not (_rectangular(a) and _rectangular(b)):
            self.assertEqual(len(a), len(b), msg)
            for i, (x, y) in enumerate(zip(a, b)):
                self.assertAllClose(x, y, rtol, atol, _with_user_message(f"at index {i}", msg))
            return
        a, b = _number_array(a), _number_array(b)
        close = np.isclose(a, b, rtol, atol, equal_nan=True) if a.shape == b.shape else None
        self._assert_everywhere(close, a, b, f"close (rtol={rtol}, atol={atol})", msg)

    def assertNotAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Fail if `assertAllClose` would pass."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except self.failureException:
            return
        self.fail(_with_user_message("The two values are close at all elements.", msg))

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: Any = None,
    ) -> None:
        """Like `assertAllClose`, with the tolerances of the less precise of the two dtypes."""
        bounds = {
            "float32": (float_rtol, float_atol), "complex64": (float_rtol, float_atol),
            "float16": (half_rtol, half_atol), "bfloat16": (bfloat16_rtol, bfloat16_atol),
        }  # fmt: skip
        for dtype in {_array(a).dtype.name, _array(b).dtype.name} & bounds.keys():
            rtol, atol = max(rtol, bounds[dtype][0]), max(atol, bounds[dtype][1])
        self.assertAllClose(a, b, rtol, atol, msg)

    def assertNear(self, f1: Any, f2: Any, err: float, msg: Any = None) -> None:
        """Fail unless two numbers differ by at most `err`."""
        self.assertTrue(f1 == f2 or abs(f1 - f2) <= err, _with_user_message(f"{f1!r} != {f2!r} +/- {err!r}", msg))

    def assertArrayNear(self, farray1: Any, farray2: Any, err: float, msg: Any = None) -> None:
        """Fail unless two vectors have one length and elements that differ by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for x, y in zip(farray1, farray2):
            self.assertNear(float(x), float(y), err, msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: Any = None) -> None:
        """Fail unless the norm of the difference of two arrays is less than `err`."""
        distance = np.linalg.norm(_number_array(ndarray1) - _number_array(ndarray2))
        self.assertLess(distance, err, msg)

    # -- bounds and sets --

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Fail unless every element is greater than the target."""
        self._assert_compared(operator.gt, a, comparison_target, ">")

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Fail unless every element is greater than or equal to the target."""
        self._assert_compared(operator.ge, a, comparison_target, ">=")

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Fail unless every element is less than the target."""
        self._assert_compared(operator.lt, a, comparison_target, "<")

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Fail unless every element is less than or equal to the target."""
        self._assert_compared(operator.le, a, comparison_target, "<=")

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Fail unless every element lies between the bounds; a bound is included unless it is open."""
        self._assert_compared(operator.gt if open_lower_bound else operator.ge, target, lower_bound, "above")
        self._assert_compared(operator.lt if open_upper_bound else operator.le, target, upper_bound, "below")

    def assertAllInSet(self, target: Any, expected_set: Collection[Any]) -> None:
        """Fail unless every element is in the set."""
        outside = np.setdiff1d(_array(target), np.array(list(expected_set)))
        self.assertEqual(outside.size, 0, f"{outside} are not in {expected_set}")

    # -- shapes, dtypes and collections --

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: Any = None) -> None:
        """Fail unless the shapes are equal."""
        self.assertEqual(tuple(input_a.shape), tuple(input_b.shape), msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """Fail unless the dtype is the expected one."""
        self.assertEqual(as_dtype(_array(target).dtype), as_dtype(expected_dtype))

    def assertEmpty(self, container: Any, msg: Any = None) -> None:
        """Fail unless the container is empty."""
        self.assertEqual(len(container), 0, msg)

    def assertNotEmpty(self, container: Any, msg: Any = None) -> None:
        """Fail if the container is empty."""
        self.assertNotEqual(len(container), 0, msg)

    def assertLen(self, container: Any, expected_len: int, msg: Any = None) -> None:
        """Fail unless the container has this length."""
        self.assertEqual(len(container), expected_len, msg)

    def assertStartsWith(self, actual: str, expected_start: str, msg: Any = None) -> None:
        """Fail unless the string starts with `expected_start`."""
        self.assertTrue(
            actual.startswith(expected_start),
            _with_user_message(f"{actual!r} does not start with {expected_start!r}", msg),
        )

    def assertEndsWith(self, actual: str, expected_end: str, msg: Any = None) -> None:
        """Fail unless the string ends with `expected_end`."""
        self.assertTrue(
            actual.endswith(expected_end), _with_user_message(f"{actual!r} does not end with {expected_end!r}", msg)
        )

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: Any = None) -> None:
        """Fail unless `minv <= value <= maxv`."""
        self.assertTrue(
            minv <= value <= maxv, _with_user_message(f"{value!r} is not between {minv!r} and {maxv!r}", msg)
        )

    def assertContainsSubset(self, expected_subset: Any, actual_set: Any, msg: Any = None) -> None:
        """Fail unless `actual_set` has all elements of `expected_subset`."""
        missing = set(expected_subset).difference(actual_set)
        self.assertFalse(missing, _with_user_message(f"missing elements {missing} in {actual_set!r}", msg))

    def assertNoCommonElements(self, expected_seq: Any, actual_seq: Any, msg: Any = None) -> None:
        """Fail if an element is in both collections."""
        common = set(expected_seq) & set(actual_seq)
        self.assertFalse(common, _with_user_message(f"common elements {common}", msg))

    def assertSameElements(self, expected_seq: Any, actual_seq: Any, msg: Any = None) -> None:
        """Fail unless both collections have the same elements; order and repetitions do not count."""
        only = [[x for x in a if x not in b] for a, b in ((expected_seq, actual_seq), (actual_seq, expected_seq))]
        self.assertFalse(any(only), _with_user_message(f"elements of one collection only: {only[0]}, {only[1]}", msg))

    # -- exceptions --

    @contextlib.contextmanager
    def assertRaisesWithLiteralMatch(self, expected_exception: Any, expected_exception_message: str) -> Iterator[None]:
        """Fail unless the block raises with exactly this message."""
        with self.assertRaises(expected_exception) as raised:
            yield
        self.assertEqual(str(raised.exception), expected_exception_message)

    @contextlib.contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: str | Callable[[Any], bool]
    ) -> Iterator[None]:
        """Fail unless the block raises and the message matches the pattern, or the function accepts the exception."""
        with self.assertRaises(exception_type) as raised:
            yield
        wanted, error = expected_err_re_or_predicate, raised.exception
        if not (wanted(error) if callable(wanted) else re.search(wanted, str(error))):
            self.fail(f"Exception of type {type(error)}: {error} does not match {wanted!r}")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """Fail unless the block raises one of `tf.errors`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(self, exception_type: Any = InvalidArgumentError) -> Any:
        """Fail unless the block raises an error about incompatible shapes."""
        return self.assertRaisesWithPredicateMatch(
            exception_type, r"Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        )

    # -- messages --

    def _assert_compared(self, compare: Any, a: Any, bound: Any, words: str) -> None:
        a = _number_array(a)
        self._assert_everywhere(compare(a, bound), a, np.broadcast_to(bound, a.shape), words, None)

    def _assert_everywhere(self, holds: Array | None, a: Array, b: Array, words: str, msg: Any) -> None:
        if holds is None:
            self.fail(_with_user_message(f"Shape mismatch: expected {a.shape}, got {b.shape}.", msg))
        if not np.all(holds):
            places = np.argwhere(~np.asarray(holds))
            first = tuple(places[0].tolist())
            self.fail(
                _with_user_message(
                    f"{len(places)} of {np.size(holds)} elements are not {words}; the first, at {first}: "
                    f"{a[first]!r} and {b[first]!r}\n{a!r}\n{b!r}",
                    msg,
                )
            )


class _Session:
    """What `TestCase.session` gives."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """The values of a structure of tensors; placeholders to feed do not exist."""
        if feed_dict:
            raise OpRuntimeError(
                "Session.run: feed_dict is not supported when eager execution is enabled: call a function."
            )
        return self._case.evaluate(fetches)


class _CapturedWrites:
    """What `TestCase.captureWritesToStream` gives."""

    def __init__(self, stream: Any, file: Any) -> None:
        self._stream, self._file = stream, file
        self._text: str | None = None  # of a capture that has ended

    def contents(self) -> str:
        """What was written so far, as a string."""
        if self._text is not None:
            return self._text
        self._stream.flush()
        size = os.fstat(self._file.fileno()).st_size
        return os.pread(self._file.fileno(), size, 0).decode()

    def close(self) -> None:
        """Keep the text, because the file is about to be closed."""
        self._text = self.contents()


def _evaluated(value: Any) -> Any:
    if isinstance(value, TensorLikeComposite):
        return value._with_components([_evaluated(each) for each in value._components()])
    return _array(value)[()] if _has_value(value) else value


def _has_value(value: Any) -> bool:
    return isinstance(value, Tensor | Variable | IndexedSlices)


def _is_ragged(value: Any) -> bool:
    return isinstance(value, TensorLikeComposite) and hasattr(value, "to_list")


def _rows(value: Any) -> Any:
    """A ragged tensor, or what it is compared with, as nested lists."""
    if _is_ragged(value):
        return value.to_list()
    if isinstance(value, list | tuple):
        return [_rows(each) for each in value]
    return _array(value).tolist() if _has_value(value) or isinstance(value, np.ndarray | np.generic) else value


def _array(value: Any) -> Array:
    """The argument of an assertion as an array."""
    return np.array(convert(value, None)._array if _has_value(value) else value)


def _number_array(value: Any) -> Array:
    """Like `_array`, in float64 for 16-bit floats: NumPy's comparisons lose small differences in them."""
    array = _array(value)
    return array.astype(np.float64) if array.dtype.name in ("float16", "bfloat16") else array


def _rectangular(values: Any) -> bool:
    """Whether nested lists form one array of numbers."""
    try:
        return bool(_array(values).dtype.kind != "O")
    except (ValueError, TypeError):
        return False


def _equal(a: Array, b: Array) -> Array:
    floats = "fcV"
    if a.dtype.kind != b.dtype.kind and {a.dtype.kind, b.dtype.kind} <= set("USO"):
        a, b = _as_bytes(a), _as_bytes(b)
    both_nan = np.isnan(a) & np.isnan(b) if a.dtype.kind in floats and b.dtype.kind in floats else False
    return (a == b) | both_nan


def _as_bytes(array: Array) -> Array:
    """Strings as bytes, the elements of a tensor of strings."""
    flat = [each.encode() if isinstance(each, str) else each for each in array.flat]
    # The None keeps NumPy from making a string array.
    return np.array([*flat, None], dtype=object)[:-1].reshape(array.shape)


def _with_user_message(text: str, msg: Any) -> str:
    return text if msg is None else f"{text} : {msg}"
