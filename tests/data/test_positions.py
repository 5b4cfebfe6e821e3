"""Checkpoints of iterators: the elements that follow are the same as without the interruption."""

import numpy as np
import pytest

import whygrad as tf

Dataset = tf.data.Dataset


def _lines(folder):
    path = folder / "lines"
    path.write_text("".join(f"{i}\n" for i in range(30)))
    return tf.data.TextLineDataset(str(path))


def _records(folder):
    path = str(folder / "records")
    with tf.io.TFRecordWriter(path, "GZIP") as file:
        for i in range(30):
            file.write(str(i).encode())
    return tf.data.TFRecordDataset(path, compression_type="GZIP")


PIPELINES = {
    "range": lambda _: Dataset.range(30),
    "rows": lambda _: Dataset.from_tensor_slices({"a": np.arange(30.0), "b": ["x"] * 30}),
    "shuffle": lambda _: Dataset.range(30).shuffle(7, seed=1),
    "shuffled rows": lambda _: Dataset.from_tensor_slices(np.arange(40)).shuffle(9).batch(2),
    "map, batch, repeat": lambda _: Dataset.range(7).map(lambda x: x * 2).batch(2).repeat(5),
    "random ops": lambda _: Dataset.range(30).map(lambda x: tf.random.uniform([], seed=3)),
    "prefetch": lambda _: Dataset.range(30).map(lambda x: x + 1).prefetch(3),
    "threads": lambda _: Dataset.range(30).map(lambda x: x + 1, num_parallel_calls=2),
    "interleave": lambda _: Dataset.range(9).interleave(lambda x: Dataset.range(x), cycle_length=3, block_length=2),
    "parallel interleave": lambda _: Dataset.range(9).interleave(lambda x: Dataset.range(x), 3, num_parallel_calls=3),
    "filter, take, skip": lambda _: Dataset.range(90).filter(lambda x: x % 2 == 0).skip(3).take(30),
    "zip, enumerate": lambda _: Dataset.zip((Dataset.range(30), Dataset.range(5, 40).shuffle(3, seed=2))).enumerate(),
    "concatenate": lambda _: Dataset.range(8).concatenate(Dataset.range(100, 130)),
    "scan": lambda _: Dataset.range(30).scan(np.int64(0), lambda s, x: (s + x, s)),
    "group": lambda _: Dataset.range(30).group_by_window(lambda x: x % 3, lambda k, d: d, window_size=4),
    "unbatch, rebatch": lambda _: Dataset.range(60).batch(7).rebatch(2),
    "choose": lambda _: Dataset.choose_from_datasets([Dataset.range(30), Dataset.range(50, 80)], Dataset.range(2).repeat()),
    "sample": lambda _: Dataset.sample_from_datasets([Dataset.range(30), Dataset.range(50, 80)], seed=2),
    "cache": lambda _: Dataset.range(9).shuffle(9, seed=4).cache().repeat(4),
    "lines": _lines,
    "records": _records,
}  # fmt: skip


def _plain(element):
    return tf.nest.map_structure(lambda each: each.numpy().tolist() if each.ndim else each.numpy(), element)


@pytest.mark.parametrize("name", PIPELINES)
@pytest.mark.parametrize("taken", [0, 8])
def test_an_iterator_goes_on_where_it_was_saved(name, taken, tmp_path):
    tf.random.set_seed(7)
    dataset = PIPELINES[name](tmp_path)
    iterator = iter(dataset)
    for _ in range(taken):
        next(iterator)
    checkpoint = tf.train.Checkpoint(step=tf.Variable(taken), iterator=iterator)
    path = checkpoint.save(str(tmp_path / "ckpt"))
    expected = [_plain(next(iterator)) for _ in range(6)]
    checkpoint.restore(path).assert_consumed()
    assert [_plain(next(iterator)) for _ in range(6)] == expected
    other = iter(dataset)
    tf.train.Checkpoint(step=tf.Variable(0), iterator=other).restore(path)
    assert [_plain(next(other)) for _ in range(6)] == expected


def test_a_generator_has_no_position(tmp_path):
    iterator = iter(Dataset.from_generator(lambda: iter(range(5)), output_signature=tf.TensorSpec((), tf.int32)))
    with pytest.raises(tf.errors.FailedPreconditionError, match="known to Python alone"):
        tf.train.Checkpoint(iterator=iterator).save(str(tmp_path / "ckpt"))
