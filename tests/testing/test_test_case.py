"""tf.test.TestCase: assertions that hold and assertions that fail."""

import unittest

import numpy as np
import pytest

import whygrad as tf

NAN = float("nan")


def _slices():
    return tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]), tf.constant([2]))


HOLDS = [
    lambda case: case.assertAllEqual(tf.constant([1, 2]), [1, 2]),
    lambda case: case.assertAllEqual(tf.Variable([1.0, NAN]), np.array([1.0, NAN])),
    lambda case: case.assertAllEqual([tf.constant(1), 2], [1, 2]),
    lambda case: case.assertAllEqual(tf.constant(["a"]), [b"a"]),
    lambda case: case.assertAllEqual(_slices(), [0.0, 1.0]),
    lambda case: case.assertAllEqual(tf.constant([1.0], tf.bfloat16), [1.0]),
    lambda case: case.assertNotAllEqual(tf.ones(2), tf.ones(3)),
    lambda case: case.assertNotAllEqual([1, 2], [1, 3]),
    lambda case: case.assertAllClose(tf.constant(0.1), 0.1),
    lambda case: case.assertAllClose({"a": [tf.ones(2), 1.0]}, {"a": (np.ones(2), 1.0)}),
    lambda case: case.assertAllClose([[1.0], [1.0, 2.0]], [[1.0], [1.0, 2.0]]),
    lambda case: case.assertAllClose([NAN, 1.0], [NAN, 1.0 + 1e-7]),
    lambda case: case.assertNotAllClose([1.0], [1.1]),
    lambda case: case.assertAllCloseAccordingToType(tf.constant([1.0], tf.float16), [1.0009]),
    lambda case: case.assertAllCloseAccordingToType(tf.constant([1.0], tf.bfloat16), [1.009]),
    lambda case: case.assertNear(1.0, 1.05, 0.1),
    lambda case: case.assertArrayNear([1.0, 2.0], [1.05, 2.05], 0.1),
    lambda case: case.assertNDArrayNear(np.ones((2, 2)), np.ones((2, 2)) + 0.01, 0.1),
    lambda case: case.assertAllGreater(tf.constant([1, 2]), 0),
    lambda case: case.assertAllGreaterEqual([1, 2], [1, 2]),
    lambda case: case.assertAllLess([1, 2], 3),
    lambda case: case.assertAllLessEqual([1, 2], 2),
    lambda case: case.assertAllInRange(tf.constant([0.0, 1.0]), 0.0, 1.0),
    lambda case: case.assertAllInSet(tf.constant([1, 2]), {1, 2, 3}),
    lambda case: case.assertShapeEqual(np.ones((2, 3)), tf.ones((2, 3))),
    lambda case: case.assertDTypeEqual(tf.ones(2), np.float32),
    lambda case: case.assertAllEqual(tf.ragged.constant([[1, 2], []]), [[1, 2], []]),
    lambda case: case.assertAllEqual([np.array([1, 2]), ()], tf.ragged.constant([[1, 2], []])),
    lambda case: case.assertAllClose(tf.ragged.constant([[0.1, 2.0], [3.0]]), [[0.1, 2.0], [3.0]]),
    lambda case: case.assertEmpty([]),
    lambda case: case.assertNotEmpty([1]),
    lambda case: case.assertLen([1, 2], 2),
    lambda case: case.assertStartsWith("gradient", "grad"),
    lambda case: case.assertAllEqual(tf.constant(["a", "ä"]), ["a", "ä"]),
    lambda case: case.assertEndsWith("gradient", "ent"),
    lambda case: case.assertBetween(1, 1, 2),
    lambda case: case.assertContainsSubset([1], {1, 2}),
    lambda case: case.assertNoCommonElements([1], [2]),
    lambda case: case.assertSameElements([1, 2, 1], (2, 1)),
]
FAILS = [
    (lambda case: case.assertAllEqual(tf.ragged.constant([[1, 2], [3]]), [[1, 2], [4]]), r"\[\[1, 2\], \[3\]\] != "),
    (lambda case: case.assertAllClose(tf.ragged.constant([[1.0, 2.0], [3.0]]), [[1.0, 2.0], [4.0]]), "at index 1"),
    (lambda case: case.assertAllEqual(tf.constant(["a", "b"]), ["a", "c"]), "1 of 2 elements are not equal"),
    (lambda case: case.assertEndsWith("gradient", "grad"), "does not end with 'grad'"),
    (lambda case: case.assertBetween(3, 1, 2), "3 is not between 1 and 2"),
    (lambda case: case.assertContainsSubset([1, 3], {1, 2}), r"missing elements \{3\}"),
    (lambda case: case.assertNoCommonElements([1], [1, 2]), r"common elements \{1\}"),
    (lambda case: case.assertSameElements([1, 2], [2, 3]), r"elements of one collection only: \[1\], \[3\]"),
    (lambda case: case.assertAllEqual([1, 2], [1, 3], "here"), r"1 of 2 elements are not equal; the first, at \(1,\)"),
    (lambda case: case.assertAllEqual([1, 2], [1, 3], "here"), " : here"),
    (lambda case: case.assertAllEqual(tf.ones(2), tf.ones((2, 1))), r"Shape mismatch: expected \(2,\), got \(2, 1\)"),
    (lambda case: case.assertNotAllEqual([NAN], [NAN]), "equal at all elements"),
    (lambda case: case.assertAllClose(1.0, 1.1), "not close"),
    (lambda case: case.assertAllClose({"a": {"b": 1.0}}, {"a": {"b": 2.0}}), "under key 'b' : under key 'a'"),
    (lambda case: case.assertAllClose([[1.0], [1.0, 2.0]], [[1.0], [1.0, 3.0]]), "at index 1"),
    (lambda case: case.assertAllClose([1.0], {"a": 1.0}), "Mapping"),
    (lambda case: case.assertAllClose({"a": 1.0}, {"b": 1.0}), "Element counts were not equal"),
    (lambda case: case.assertNotAllClose([1.0], [1.0]), "close at all elements"),
    (lambda case: case.assertAllCloseAccordingToType(tf.constant([1.0], tf.float16), [1.1]), "not close"),
    (lambda case: case.assertNear(1.0, 1.2, 0.1), "1.0 != 1.2"),
    (lambda case: case.assertAllInRange([0.0], 0.0, 1.0, open_lower_bound=True), "not above"),
    (lambda case: case.assertAllGreater([1, 0], 0), "not >"),
    (lambda case: case.assertAllInSet([5], {1}), "not in"),
    (lambda case: case.assertShapeEqual(np.ones(2), tf.ones(3)), r"\(2,\) != \(3,\)"),
    (lambda case: case.assertDTypeEqual(tf.ones(2), tf.float64), "float32"),
    (lambda case: case.assertStartsWith("a", "b"), "does not start"),
]


@pytest.mark.parametrize("assertion", HOLDS)
def test_assertions_that_hold(assertion):
    assertion(tf.test.TestCase())


@pytest.mark.parametrize(("assertion", "words"), FAILS)
def test_assertions_that_fail(assertion, words):
    with pytest.raises(AssertionError, match=words):
        assertion(tf.test.TestCase())


def test_exceptions():
    case = tf.test.TestCase()
    with case.assertRaisesOpError("Incompatible shapes"):
        tf.ones(2) + tf.ones(3)
    with case.assertRaisesIncompatibleShapesError():
        tf.ones(2) + tf.ones(3)
    with case.assertRaisesWithPredicateMatch(ValueError, lambda error: error.args == ("seven",)):
        raise ValueError("seven")
    with pytest.raises(AssertionError, match="does not match"), case.assertRaisesOpError("something else"):
        tf.ones(2) + tf.ones(3)


def test_evaluating_and_sessions():
    case = tf.test.TestCase()
    with case.session(), case.cached_session():
        values = case.evaluate({"a": tf.constant([1.0]), "b": [tf.Variable(2), 3]})
    assert values["a"].tolist() == [1.0]
    assert values["b"] == [2, 3]


def test_a_case_runs_from_the_same_seeds_every_time(tmp_path):
    drawn, folders = [], []

    class Draws(tf.test.TestCase):
        def test_draw(self):
            drawn.append((tf.random.normal([2]).numpy().tolist(), np.random.rand()))
            folders.append(self.get_temp_dir())

    for _ in range(2):
        result = Draws("test_draw").run()
        assert result.wasSuccessful()
    assert drawn[0] == drawn[1]
    assert folders[0] != folders[1]


def test_there_is_no_gpu():
    assert (tf.test.is_gpu_available(), tf.test.is_built_with_cuda(), tf.test.gpu_device_name()) == (False, False, "")


def test_a_literal_message():
    case = tf.test.TestCase()
    with case.assertRaisesWithLiteralMatch(ValueError, "(a)"):
        raise ValueError("(a)")
    with pytest.raises(AssertionError), case.assertRaisesWithLiteralMatch(ValueError, "a"):
        raise ValueError("(a)")


@pytest.mark.parametrize("name", ["session", "cached_session", "test_session"])
def test_a_session_evaluates(name):
    case = tf.test.TestCase()
    with getattr(case, name)() as session:
        assert session.run({"a": tf.constant(2)}) == {"a": 2}
        parts = session.run(tf.SparseTensor([[1, 2]], [3], [4, 5]))
        assert isinstance(parts, tf.compat.v1.SparseTensorValue)
        assert (parts.values.tolist(), parts.dense_shape.tolist()) == ([3], [4, 5])
        with pytest.raises(RuntimeError, match="feed_dict is not supported"):
            session.run([], feed_dict={"x": 1})


def test_the_older_name_of_sessions_is_no_test():
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(tf.test.TestCase).run(result)
    assert [reason for _, reason in result.skipped] == ["Not a test."]
    assert result.wasSuccessful()
    assert not tf.test.TestCase.test_session.__test__


def test_what_is_written_to_a_stream(tmp_path):
    case = tf.test.TestCase()
    with open(tmp_path / "stream", "w") as stream:
        stream.write("before\n")
        with case.captureWritesToStream(stream) as captured:
            stream.write("inside\n")
            assert captured.contents() == "inside\n"
        stream.write("after\n")
    assert captured.contents() == "inside\n"
    assert (tmp_path / "stream").read_text() == "before\nafter\n"
