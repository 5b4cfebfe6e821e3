"""Ops on strings, compared with a table of TensorFlow's results, and what the table does not show."""

import pathlib

import pytest

import whygrad as tf
from tests.support.expressions import differences, read
from whygrad.strings.hashing import fingerprint64, older_hash64, siphash

TABLE = pathlib.Path(__file__).parent / "strings.txt"


def test_results_are_those_of_the_table():
    rows = read(TABLE)
    assert len(rows) > 370
    assert differences(tf, rows) == []


def test_hashes_of_every_length_differ():
    data = [bytes(range(256))[:length] for length in range(200)]
    for function in (fingerprint64, older_hash64, lambda each: siphash((1, 2), each)):
        assert len({function(each) for each in data}) == 200


def test_an_op_on_strings_cuts_the_path_and_says_so():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.strings.to_number(tf.strings.strip(tf.strings.as_string(x))) * 3.0
    with pytest.warns(tf.NoGradientWarning, match=r"strings\s+have\s+no\s+derivative") as caught:
        assert tape.gradient(y, x) is None
    assert "tf.strings.as_string(x)" in str(caught[0].message)
    assert "float32 () becomes string ()" in str(caught[0].message)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.strings.length("a", unit="CHAR"), r"unit.*CHAR.*BYTE"),
        (lambda: tf.strings.regex_replace("a", r"(?=a)", ""), r"Invalid pattern: \(\?=a\)"),
        (lambda: tf.strings.regex_replace("a", r"\C", ""), "a single byte, is not supported"),
        (lambda: tf.strings.substr("abc", 4, 1), "pos 4 out of range for string b'abc'"),
        (lambda: tf.strings.to_number("x1"), "could not correctly convert string: x1"),
        (lambda: tf.strings.lower(tf.constant(1)), "expected to be a string tensor but is a int32 tensor"),
        (lambda: tf.strings.to_hash_bucket_fast("a", 0), "num_buckets.*0"),
        (lambda: tf.strings.unicode_decode("a", "klingon"), "klingon"),
    ],
)
def test_errors_name_the_argument(call, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        call()
