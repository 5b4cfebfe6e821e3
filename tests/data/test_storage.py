"""Elements in folders: cache, snapshot, save and load; whole or not at all."""

import os

import numpy as np
import pytest

import whygrad as tf

Dataset = tf.data.Dataset


def _counted(limit=4, fails_at=None):
    """A dataset, and how often its generator was begun."""
    begun = []

    def generate():
        begun.append(1)
        for i in range(limit):
            if i == fails_at:
                raise ValueError("broken")
            yield {"x": np.full((i,), i, np.float32), "name": f"n{i}", "pair": (i, i % 2 == 0)}

    signature = {
        "x": tf.TensorSpec((None,), tf.float32),
        "name": tf.TensorSpec((), tf.string),
        "pair": (tf.TensorSpec((), tf.int64), tf.TensorSpec((), tf.bool)),
    }
    return Dataset.from_generator(generate, output_signature=signature), begun


def _plain(dataset):
    return [
        tf.nest.map_structure(lambda each: each.numpy().tolist() if each.ndim else each.numpy(), e) for e in dataset
    ]


def test_what_is_saved_is_loaded(tmp_path):
    dataset, _ = _counted()
    for compression in (None, "GZIP"):
        folder = str(tmp_path / str(compression))
        dataset.save(folder, compression=compression)
        loaded = Dataset.load(folder)
        assert _plain(loaded) == _plain(dataset)
        assert loaded.element_spec == dataset.element_spec
        assert len(loaded) == 4


def test_shards_and_their_reader(tmp_path):
    folder = str(tmp_path)
    Dataset.range(10).save(folder, shard_func=lambda x: x % 3)
    assert sorted(int(x) for x in Dataset.load(folder)) == list(range(10))
    read = Dataset.load(folder, reader_func=lambda shards: shards.interleave(lambda shard: shard, cycle_length=3))
    assert [int(x) for x in read] == list(range(10))


def test_a_failing_save_keeps_the_last_one(tmp_path):
    folder = str(tmp_path)
    Dataset.range(3).save(folder)
    broken, _ = _counted(fails_at=2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="broken"):
        broken.save(folder)
    assert [int(x) for x in Dataset.load(folder)] == [0, 1, 2]
    assert len(os.listdir(folder)) == 2


@pytest.mark.parametrize("keep", [lambda d, p: d.cache(p), lambda d, p: d.snapshot(p)])
def test_the_first_complete_iteration_writes(tmp_path, keep):
    dataset, begun = _counted()
    kept = keep(dataset, str(tmp_path / "kept"))
    next(iter(kept))  # not complete: nothing is kept
    expected = _plain(kept)
    assert _plain(kept) == expected == _plain(dataset)
    assert len(begun) == 3  # the first part, the first iteration, and the dataset itself
    again, begun = _counted()
    assert _plain(keep(again, str(tmp_path / "kept"))) == expected
    assert begun == []


def test_a_cache_in_memory():
    dataset, begun = _counted()
    kept = dataset.cache()
    assert _plain(kept) == _plain(kept) == _plain(kept.repeat(1))
    assert len(begun) == 1


def test_damage_is_found(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="no saved dataset"):
        Dataset.load(str(tmp_path / "none"))
    folder = tmp_path / "some"
    Dataset.range(3).save(str(folder))
    (record,) = folder.glob("*/*.tfrecord")
    record.write_bytes(record.read_bytes()[:-3])
    with pytest.raises(tf.errors.DataLossError, match="truncated"):
        list(Dataset.load(str(folder)))
    (folder / "elements.json").write_text("{}")
    with pytest.raises(tf.errors.DataLossError, match="malformed"):
        Dataset.load(str(folder))
