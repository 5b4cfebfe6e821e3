"""Tables, compared with a table of TensorFlow's results, and what that does not show."""

import pathlib

import pytest

import whygrad as tf
from tests.support.expressions import differences, read

TABLE = pathlib.Path(__file__).parent / "lookup.txt"


def write_files(folder: pathlib.Path) -> None:
    """The files that the expressions of the table read."""
    (folder / "vocab.txt").write_text("one\ntwo\nthree\n")
    for name in ("vocab2.txt", "vocab3.txt"):  # TensorFlow shares tables of one file, whatever their dtypes
        (folder / name).write_text("emerson 10\nlake 20\npalmer 30\n")


def test_results_are_those_of_the_table(tmp_path, monkeypatch):
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    rows = read(TABLE)
    assert len(rows) > 60
    assert differences(tf, rows) == []


def test_lists_of_keys_are_taken():
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    assert table.lookup(["b", "x"]).numpy().tolist() == [2, -1]
    assert table["a"].numpy() == 1


def test_a_function_that_looks_up_runs_as_python_for_any_strings():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)

    @tf.function
    def known(words):
        return table.lookup(words) >= 0

    with pytest.warns(tf.FunctionWarning, match="runs as Python"):
        assert known(tf.constant(["a"])).numpy().tolist() == [False]
    table.insert(["a"], [5])
    assert known(tf.constant(["a", "b"])).numpy().tolist() == [True, False]
    assert known.experimental_get_tracing_count() == 1


def test_a_missing_file_is_named(tmp_path):
    whole_line, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    pairs = tf.lookup.TextFileInitializer(tmp_path / "words.txt", tf.string, whole_line, tf.int64, number)
    with pytest.raises(tf.errors.NotFoundError, match=r"words\.txt"):
        tf.lookup.StaticHashTable(pairs, -1)
