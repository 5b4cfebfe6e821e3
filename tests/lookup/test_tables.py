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


def test_a_missing_file_is_named(tmp_path):
    whole_line, number = tf.lookup.TextFileIndex.WHOLE_LINE, tf.lookup.TextFileIndex.LINE_NUMBER
    pairs = tf.lookup.TextFileInitializer(tmp_path / "words.txt", tf.string, whole_line, tf.int64, number)
    with pytest.raises(tf.errors.NotFoundError, match=r"words\.txt"):
        tf.lookup.StaticHashTable(pairs, -1)


@pytest.mark.parametrize(
    ("key_dtype", "value_dtype", "default", "keys", "values"),
    [
        (tf.string, tf.int64, -1, [b"b", b"\xff", "d"], [0, 1, 2]),
        (tf.int64, tf.float32, [0.0, 0.0], [3, 2**40], [[0.1, float("inf")], [1.0, 2.0]]),
        (tf.int64, tf.string, "", [3, 4], ["x", b"\xfe"]),
    ],
)
def test_checkpoints_save_tables(tmp_path, key_dtype, value_dtype, default, keys, values):
    def table(**options):
        made = tf.lookup.experimental.MutableHashTable(key_dtype, value_dtype, default, **options)
        return made, tf.train.Checkpoint(held={"table": made}, v=tf.Variable(1.0))

    saved, checkpoint = table()
    saved.insert(keys, values)
    path = checkpoint.save(str(tmp_path / "table"))
    restored, checkpoint = table()
    restored.insert(keys[-1:], values[:1])
    checkpoint.restore(path).assert_consumed()
    assert restored.size().numpy() == len(keys)
    assert restored.lookup(keys).numpy().tolist() == saved.lookup(keys).numpy().tolist()
    kept, checkpoint = table(checkpoint=False)
    checkpoint.restore(path)
    assert kept.size().numpy() == 0
    other = tf.lookup.experimental.DenseHashTable(tf.int32, tf.int32, 0, empty_key=-1, deleted_key=-2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"a table from int32 to int32 is restored from one of"):
        tf.train.Checkpoint(held={"table": other}).restore(path)


def test_dense_tables_take_vectors_of_keys():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, empty_key=0, deleted_key=-1)
    keys = tf.constant([[11, 5], [12, 1]], tf.int64)
    for call in (table.lookup, table.erase, lambda keys: table.insert(keys, keys)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected key shape \[2\] got \[2,2\]"):
            call(keys)
    assert table.lookup(tf.constant(11, tf.int64)).numpy() == -1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Default value must be a vector, got shape \[1,2\]"):
        tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, [[-1, -1]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Number of buckets must be a power of 2, got 12"):
        tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -1, initial_num_buckets=12)


@pytest.mark.parametrize(
    ("empty", "deleted", "error", "message"),
    [
        (42, [1, 2], tf.errors.InvalidArgumentError, r"must have same shape, got shapes: \[\] and \[2\]"),
        ([1, 2], [1, 2], tf.errors.InvalidArgumentError, "Empty and deleted keys cannot be equal"),
    ],
)
def test_the_reserved_keys_are_two_keys_of_one_shape(empty, deleted, error, message):
    with pytest.raises(error, match=message):
        tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, empty, deleted)


@pytest.mark.parametrize(
    ("filename", "error"), [(tf.constant(7), ValueError), (tf.constant(["a", "b"]), tf.errors.InvalidArgumentError)]
)
def test_the_file_of_a_table_is_one_string(filename, error):
    with pytest.raises(error):
        tf.lookup.TextFileInitializer(filename, tf.string, 0, tf.int64, 1)


def exported(table):
    return [each.numpy().tolist() for each in table.export()]


def test_a_dense_table_exports_tensorflows_buckets(tmp_path):
    def new():
        return tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -1, initial_num_buckets=4)

    table = new()
    assert exported(table) == [[[0]] * 4, [[0]] * 4]
    table.insert([11, 12, 13], [7, 1, 2])
    assert exported(table) == [[[12], [13], [0], [11]], [[1], [2], [0], [7]]]
    table.remove(tf.constant([12, 99], tf.int64))
    assert exported(table) == [[[-1], [13], [0], [11]], [[1], [2], [0], [7]]]  # the removed value stays in its bucket
    table.insert([16], [9])
    assert exported(table)[0] == [[16], [13], [0], [11]]
    table.insert([13, 14, 15, 17, -5, 29], [3, 4, 5, 7, 6, 8])  # 29 and 13 share a bucket
    keys = [16, 17, 0, 29, 0, 0, 0, 0, 0, 0, 0, 11, -5, 13, 14, 15]
    assert exported(table)[0] == [[key] for key in keys]
    assert table.lookup(tf.constant([11, 13, 14, 15, 16, 17, -5, 29, 12], tf.int64)).numpy().tolist() == [
        *[7, 3, 4, 5, 9, 7, 6, 8, -1]
    ]
    path = tf.train.Checkpoint(table=table).write(str(tmp_path / "table"))
    restored = new()
    tf.train.Checkpoint(table=restored).read(path)
    assert len(exported(restored)[0]) == 16

    text = tf.lookup.experimental.DenseHashTable(tf.string, tf.int64, -1, "", "$", initial_num_buckets=8)
    text.insert(["a", "b", "c", "dd"], [1, 2, 3, 4])
    assert exported(text)[1] == [[0], [0], [2], [0], [1], [3], [4], [0]]


def test_keys_of_a_dense_table_may_be_vectors():
    table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, [0, 3], [-1, -1], initial_num_buckets=8)
    table.insert([[0, 1], [1, 2], [1, 3]], [10, 11, 12])
    assert exported(table)[0] == [[0, 3], [0, 1], [1, 3], [1, 2], [0, 3], [0, 3], [0, 3], [0, 3]]
    table.remove(tf.constant([[1, 2], [7, 8]], tf.int64))
    assert table.size().numpy() == 2
    assert table.lookup([[0, 1], [1, 2], [1, 3]]).numpy().tolist() == [10, -1, 12]
    for keys, sentence in [
        ([0, 1], r"Expected key shape \[2,2\] got \[2\]"),
        ([[0, 1, 2]], r"Input key shape \[1,3\] must end with the table's key shape \[2\]"),
        (5, r"Input key shape \[\] must end with the table's key shape \[2\]"),
        ([[0, 3]], "Using the empty_key as a table key is not allowed"),
    ]:
        with pytest.raises(tf.errors.InvalidArgumentError, match=sentence):
            table.lookup(keys)


def test_keys_of_another_dtype_are_a_value_error():
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    with pytest.raises(ValueError, match="Tensor conversion requested dtype string for Tensor with dtype int32"):
        table.lookup(tf.constant([1]))
