"""Checkpoints: names, restored values, errors, and warnings when objects and file do not match."""

import gc
import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

import whygrad as tf


class Line(tf.Module):
    def __init__(self, start=0.0):
        super().__init__()
        self.slope = tf.Variable([start, start + 1])
        self.offset = tf.Variable(start, dtype=tf.bfloat16)


def _names(path):
    graph, *variables = [name for name, _ in tf.train.list_variables(path)]
    assert graph == "_CHECKPOINTABLE_OBJECT_GRAPH"
    return [name.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for name in variables]


def test_saved_values_are_restored(tmp_path):
    line, step = Line(1.0), tf.Variable(3, dtype=tf.int64)
    path = tf.train.Checkpoint(line=line, step=step).write(tmp_path / "ckpt")
    other, other_step = Line(7.0), tf.Variable(0, dtype=tf.int64)
    tf.train.Checkpoint(line=other, step=other_step).read(path).assert_consumed()
    assert other.slope.numpy().tolist() == [1.0, 2.0]
    assert (float(other.offset.numpy()), int(other_step.numpy())) == (1.0, 3)
    assert other.offset.dtype == tf.bfloat16


def test_names_say_the_way_to_a_variable(tmp_path):
    v = tf.Variable
    checkpoint = tf.train.Checkpoint(
        plain=v(1.0), nested={"a": [v(2.0), (v(3.0),)], "x/y.z": v(4.0)}, module=Line(), nothing=[1, "text", None]
    )
    checkpoint.later = v(5.0)
    checkpoint.untracked = 7
    assert _names(checkpoint.write(tmp_path / "ckpt")) == sorted(
        ["plain", "nested/a/0", "nested/a/1/0", "nested/x.Sy..z", "module/slope", "module/offset", "later"]
    )


def test_a_generator_of_random_numbers_goes_on_where_it_was(tmp_path):
    generator = tf.random.Generator.from_seed(1)
    checkpoint = tf.train.Checkpoint(generator=generator)
    path = checkpoint.write(tmp_path / "ckpt")
    first = generator.normal([3]).numpy()
    checkpoint.read(path).assert_consumed()
    assert generator.normal([3]).numpy().tolist() == first.tolist()


def test_a_variable_held_twice_is_saved_once_and_restored_to_both_places(tmp_path):
    shared = tf.Variable(1.0)
    path = tf.train.Checkpoint(a=shared, b={"again": shared}).write(tmp_path / "ckpt")
    assert _names(path) == ["a"]
    one, two = tf.Variable(0.0), tf.Variable(0.0)
    tf.train.Checkpoint(a=one, b={"again": two}).read(path).assert_consumed()
    assert (one.numpy(), two.numpy()) == (1.0, 1.0)


def test_modules_in_a_circle(tmp_path):
    a, b = Line(1.0), Line(2.0)
    a.other, b.other = b, a
    path = tf.train.Checkpoint(a=a).write(tmp_path / "ckpt")
    assert _names(path) == ["a/offset", "a/other/offset", "a/other/slope", "a/slope"]
    tf.train.Checkpoint(a=a).read(path).assert_consumed()


def test_nothing_is_changed_if_one_variable_does_not_fit(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable([1.0]), c=tf.Variable(1)).write(tmp_path / "ckpt")
    a, b, c = tf.Variable(5.0), tf.Variable([5.0, 5.0]), tf.Variable(5.0)
    with pytest.raises(ValueError, match="Received incompatible tensor with shape") as caught:
        tf.train.Checkpoint(a=a, b=b, c=c).read(path)
    message = str(caught.value)
    assert (
        "shape (1,) when attempting to restore variable with shape (2,) and name Variable:0. (Saved as b in " in message
    )
    assert "c/.ATTRIBUTES/VARIABLE_VALUE; expected dtype float does not equal original dtype int32" in message
    assert (a.numpy(), b.numpy().tolist()) == (5.0, [5.0, 5.0])


def test_a_variable_without_a_shape_takes_any(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0, 3.0])).write(tmp_path / "ckpt")
    v = tf.Variable([0.0], shape=(None,))
    tf.train.Checkpoint(v=v).read(path).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0, 3.0]


def test_a_partial_restore_warns_at_the_callers_line(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "ckpt")
    with pytest.warns(
        tf.CheckpointWarning, match=r"1 variables were not restored \(u\) and 1 saved values were not used \(v\)"
    ) as caught:
        tf.train.Checkpoint(u=tf.Variable(1.0)).read(path)
    assert caught[0].filename == __file__


def test_expect_partial_or_a_full_restore_does_not_warn(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.save(tmp_path / "ckpt")
    checkpoint.restore(path)
    tf.train.Checkpoint(u=tf.Variable(1.0)).restore(path).expect_partial()
    checkpoint.restore(None)


def test_assertions_name_missing_variables(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "ckpt")
    with pytest.raises(AssertionError, match=r"\[model/slope: <tf\.Variable .*has: v$"):
        tf.train.Checkpoint(v=tf.Variable(1.0), model={"slope": tf.Variable(1.0)}).read(
            path
        ).assert_existing_objects_matched()
    with pytest.raises(
        AssertionError, match=r"Unresolved object in checkpoint \(root\)\.v: 1 saved values have no variable"
    ):
        tf.train.Checkpoint(model={}).read(path).assert_consumed()
    with pytest.raises(AssertionError, match="Nothing to load"):
        tf.train.Checkpoint(model={}).read(path).assert_nontrivial_match()


def test_variables_made_later_get_their_values_once(tmp_path):
    path = tf.train.Checkpoint(line=Line(4.0)).write(tmp_path / "ckpt")
    late = tf.Module()
    status = tf.train.Checkpoint(line=late).read(path)
    with pytest.raises(AssertionError, match="Unresolved object"):
        status.assert_consumed()
    late.slope = tf.Variable([0.0, 0.0])
    late.offset = tf.Variable(0.0, dtype=tf.bfloat16)
    status.assert_consumed()
    assert late.slope.numpy().tolist() == [4.0, 5.0]
    late.slope = tf.Variable([9.0, 9.0])  # another one, made on purpose
    assert late.slope.numpy().tolist() == [9.0, 9.0]


def test_variables_added_later_to_a_list_or_dict_get_their_values(tmp_path):
    saved = tf.Module()
    saved.layers = [tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0), Line(4.0)]
    saved.heads = {"a": tf.Variable(5.0), "b": tf.Variable(6.0), "c": tf.Variable(7.0)}
    path = tf.train.Checkpoint(model=saved).write(tmp_path / "ckpt")
    late = tf.Module()
    late.layers, late.heads = [tf.Variable(0.0)], {}
    status = tf.train.Checkpoint(model=late).read(path)
    late.layers.append(tf.Variable(0.0))
    late.layers += [tf.Variable(0.0)]
    late.layers.extend([Line(0.0)])
    late.heads["a"] = tf.Variable(0.0)
    late.heads.update(b=tf.Variable(0.0))
    late.heads.setdefault("c", tf.Variable(0.0))
    assert [float(v.numpy()) for v in late.layers[:3]] == [1.0, 2.0, 3.0]
    assert late.layers[3].slope.numpy().tolist() == [4.0, 5.0]
    assert [float(v.numpy()) for v in late.heads.values()] == [5.0, 6.0, 7.0]
    status.assert_consumed()
    assert isinstance(late.layers, list)
    late.layers.append(tf.Variable(9.0))
    assert late.layers[4].numpy() == 9.0


def test_a_list_that_the_program_holds_stays_the_same_and_is_warned_of(tmp_path):
    saved, late, mine = tf.Module(), tf.Module(), []
    saved.layers = [tf.Variable(1.0)]
    path = tf.train.Checkpoint(model=saved).write(tmp_path / "ckpt")
    late.layers = mine
    checkpoint = tf.train.Checkpoint(model=late)
    checkpoint.read(path)
    mine.append(tf.Variable(0.0))
    assert late.layers is mine
    with pytest.warns(tf.CheckpointWarning, match=r"1 saved values were not used \(model/layers/0\)"):
        checkpoint.read(path)  # what waited for the first call is given up


def test_the_warning_waits_until_nothing_can_take_the_values(tmp_path, recwarn):
    path = tf.train.Checkpoint(line=Line(4.0)).write(tmp_path / "ckpt")
    late = tf.Module()
    checkpoint = tf.train.Checkpoint(line=late)
    line = 1 + inspect.currentframe().f_lineno
    checkpoint.read(path)
    late.slope = tf.Variable([0.0, 0.0])
    assert not recwarn.list
    del late, checkpoint
    gc.collect()
    (warning,) = recwarn.list
    assert "1 saved values were not used (line/offset)" in str(warning.message)
    assert (warning.filename, warning.lineno) == (__file__, line)


def test_a_warning_comes_at_the_end_of_the_program_at_the_latest(tmp_path):
    tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "ckpt")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, whygrad as tf\n"
        "checkpoint = tf.train.Checkpoint()\n"
        "checkpoint.read(sys.argv[1])\n"
        "print('trained', file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, program, tmp_path / "ckpt"], capture_output=True, text=True, check=True, timeout=600
    )
    first, second = done.stderr.splitlines()[:2]
    assert first == "trained"
    assert second.startswith(f"{program}:3: CheckpointWarning: ")


def test_a_variable_made_later_that_does_not_fit_is_refused(tmp_path):
    path = tf.train.Checkpoint(line=Line(4.0)).write(tmp_path / "ckpt")
    late = tf.Module()
    tf.train.Checkpoint(line=late).read(path).expect_partial()
    with pytest.raises(ValueError, match="Received incompatible tensor"):
        late.slope = tf.Variable([0.0, 0.0, 0.0])


def test_saving_counts_and_goes_on_counting(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    paths = [checkpoint.save(str(tmp_path / "ckpt")) for _ in range(3)]
    assert paths == [str(tmp_path / f"ckpt-{i}") for i in (1, 2, 3)]
    assert tf.train.latest_checkpoint(tmp_path) == paths[-1]
    other = tf.train.Checkpoint(v=tf.Variable(0.0))
    other.restore(paths[1]).assert_consumed()
    assert other.save(str(tmp_path / "ckpt")) == str(tmp_path / "ckpt-3")


def test_a_save_that_fails_does_not_count(tmp_path, monkeypatch):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    first = checkpoint.save(tmp_path / "ckpt")

    def fail(*args):
        raise OSError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(OSError, match="the disk is full"):
            checkpoint.save(tmp_path / "ckpt")
    assert int(checkpoint.save_counter.numpy()) == 1
    assert tf.train.latest_checkpoint(tmp_path) == first
    assert checkpoint.save(tmp_path / "ckpt") == str(tmp_path / "ckpt-2")


def test_a_directory_can_be_moved(tmp_path):
    tf.train.Checkpoint(v=tf.Variable(1.0)).save(tmp_path / "here" / "ckpt")
    (tmp_path / "here").rename(tmp_path / "there")
    assert tf.train.latest_checkpoint(tmp_path / "there") == str(tmp_path / "there" / "ckpt-1")


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe nonsense",
        b"",
        b"nonsense",
        b"model_checkpoint_path: ckpt-1\n",
        b"model_checkpoint_path: 5\n",
        b'model_checkpoint_path: ["ckpt-1"]\n',
        b'model_checkpoint_path: ""\n',
        b'model_checkpoint_path: "a\\0b"\n',
        b'model_checkpoint_path: "a\\377"\n',
        b'model_checkpoint_path: "a"\nmodel_checkpoint_path: "b"\n',
        b'model_checkpoint_path: "a"\nall_model_checkpoint_paths: a\n',
        b'model_checkpoint_path: "a"\nall_model_checkpoint_timestamps: soon\n',
        b'model_checkpoint_path: "a"\nlast_preserved_timestamp: nan\n',
        b'model_checkpoint_path: "a"\nlast_preserved_timestamp: ' + b"9" * 400 + b"\n",
        b"all_model_checkpoint_paths: " + b"[" * 100_000 + b"\n",
    ],
)
def test_a_state_that_cannot_be_read_is_refused(content, tmp_path):
    """None would mean that there is no checkpoint: a program would begin anew and overwrite the old ones."""
    (tmp_path / "checkpoint").write_bytes(content)
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    for read in (
        tf.train.latest_checkpoint,
        tf.train.get_checkpoint_state,
        tf.train.load_checkpoint,
        lambda directory: tf.train.CheckpointManager(checkpoint, directory, 3),
    ):
        with pytest.raises(tf.errors.DataLossError, match=r"checkpoint cannot be read: .*; delete it, or restore"):
            read(str(tmp_path))


def test_a_state_of_tensorflows_is_read(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "ä-1")
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "\\303\\244-1"\n')
    assert tf.train.latest_checkpoint(tmp_path) == path


def test_a_state_without_its_checkpoint_is_none(tmp_path):
    assert tf.train.latest_checkpoint(tmp_path) is None
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "gone-1"\n')
    assert tf.train.latest_checkpoint(tmp_path) is None


def test_tensorflows_own_files_are_recognised(tmp_path):
    (tmp_path / "ckpt-1.index").write_bytes(b"")
    with pytest.raises(
        tf.errors.NotFoundError, match=r"ckpt-1\.index is in TensorFlow's own format; whygrad reads and writes"
    ):
        tf.train.Checkpoint().restore(tmp_path / "ckpt-1")


def test_an_object_as_root_and_names_beside_it(tmp_path):
    line = Line(2.0)
    path = tf.train.Checkpoint(line, step=tf.Variable(1)).write(tmp_path / "ckpt")
    assert _names(path) == ["offset", "slope", "step"]
    late = tf.Module()
    tf.train.Checkpoint(late, step=tf.Variable(1)).read(path).expect_partial()
    late.slope = tf.Variable([0.0, 0.0])
    assert late.slope.numpy().tolist() == [2.0, 3.0]
    with pytest.raises(ValueError, match=r"keyword argument slope if root\.slope already exists"):
        tf.train.Checkpoint(line, slope=tf.Variable(1))


def test_keys_that_are_no_strings_are_refused(tmp_path):
    with pytest.raises(ValueError, match="its key 3 is not a string, and names in a checkpoint are strings"):
        tf.train.Checkpoint(d={3: tf.Variable(1.0)}).write(tmp_path / "ckpt")


def test_a_manager_keeps_checkpoints_that_it_did_not_save(tmp_path):
    checkpoint = tf.train.Checkpoint(step=tf.Variable(1))
    by_hand = checkpoint.save(tmp_path / "best")
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1)
    assert (manager.checkpoints, manager.latest_checkpoint) == ([], by_hand)
    assert manager.restore_or_initialize() == by_hand
    for _ in range(3):
        manager.save()
    assert sorted(path.name for path in tmp_path.glob("*.safetensors")) == ["best-1.safetensors", "ckpt-4.safetensors"]
    assert tf.train.CheckpointManager(checkpoint, tmp_path, max_to_keep=1).checkpoints == [str(tmp_path / "ckpt-4")]


def test_a_manager_keeps_the_last_and_one_in_some_hours(tmp_path, monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("time.time", lambda: now[0])
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(checkpoint, tmp_path, 2, keep_checkpoint_every_n_hours=1)
    for _ in range(8):
        now[0] += 1200
        manager.save()
    there = sorted(name for name in os.listdir(tmp_path) if name.endswith(".safetensors"))
    assert there == [f"ckpt-{i}.safetensors" for i in (3, 6, 7, 8)]
    again = tf.train.CheckpointManager(checkpoint, tmp_path, 2, keep_checkpoint_every_n_hours=1)
    assert again.checkpoints == manager.checkpoints == [str(tmp_path / "ckpt-7"), str(tmp_path / "ckpt-8")]


def test_a_manager_initializes_when_there_is_no_checkpoint(tmp_path):
    begun = []
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(), tmp_path, None, init_fn=lambda: begun.append(True))
    assert manager.restore_or_initialize() is None
    assert begun == [True]


def test_restoring_in_a_tape_is_an_assignment(tmp_path):
    v = tf.Variable(3.0)
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.write(tmp_path / "ckpt")
    v.assign(10.0)
    with tf.GradientTape() as tape:
        before = v * v
        checkpoint.read(path).assert_consumed()
        after = v * v
    assert tape.gradient([before, after], v).numpy() == np.float32(20.0 + 6.0)
