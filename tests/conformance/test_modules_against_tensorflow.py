"""Modules and checkpoints on whygrad and on TensorFlow: names, orders, values that come back, exceptions."""

import collections
import os

import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

Pair = collections.namedtuple("Pair", ("first", "second"))


def _modules(tf):
    class Leaf(tf.Module):
        def __init__(self, value=1.0, trainable=True, name=None):
            super().__init__(name=name)
            self.w = tf.Variable([value], trainable=trainable, name="w")

        @tf.Module.with_name_scope
        def build(self):
            self.late = tf.Variable(7.0, name="late")

    class Tree(tf.Module):
        def __init__(self, start=0.0):
            super().__init__()
            self.z = tf.Variable(start, name="z")
            self.branches = [Leaf(start), {"b": Leaf(start + 1), "a": tf.Variable(start + 2, name="in_dict")}]
            self.pair = Pair(tf.Variable(start + 3, name="first"), (Leaf(start + 4, trainable=False, name="twig"),))
            self._hidden = tf.Variable(start + 5, trainable=False, name="hidden")
            self.again = self.z

    return Leaf, Tree


def _names(tf, directory):
    leaf, tree_class = _modules(tf)
    tree = tree_class()
    tree.branches[0].build()
    is_variable = lambda each: isinstance(each, tf.Variable)
    paths = [path for path, _ in tree._flatten(predicate=is_variable, with_path=True)]
    tree.branches[0].parent = tree
    with tf.name_scope("outer"):
        inner = leaf()
    return [
        [v.name for v in tree.variables],
        [v.name for v in tree.trainable_variables],
        [v.name for v in tree.non_trainable_variables],
        [m.name for m in tree.submodules],
        [m.name for m in tree.branches[0].submodules],
        [(tree.name, tree.name_scope.name), (inner.name, inner.name_scope.name)],
        paths,
    ]


def _values(tree):
    return [v.numpy().tolist() for v in tree.variables]


def _saved(tf, directory):
    leaf, tree = _modules(tf)
    model = tree(1.0)
    checkpoint = tf.train.Checkpoint(model=model, step=tf.Variable(3, dtype=tf.int64), more={"q": [tf.Variable(9.0)]})
    first = checkpoint.save(directory + "/ckpt")
    second = checkpoint.save(directory + "/ckpt")
    told = [os.path.basename(first), os.path.basename(second), int(checkpoint.save_counter.numpy())]
    latest = tf.train.latest_checkpoint(directory)
    names = [each for each in tf.train.list_variables(first) if not each[0].startswith("_CHECKPOINTABLE")]
    other = tree(5.0)
    restored = tf.train.Checkpoint(model=other, step=tf.Variable(0, dtype=tf.int64), more={"q": [tf.Variable(0.0)]})
    restored.restore(latest).assert_consumed()
    alone = tree(6.0)
    tf.train.Checkpoint(model=alone).restore(first).expect_partial().assert_existing_objects_matched()
    # Not there when the values are restored, and restored when it is made.
    late = tf.Module()
    tf.train.Checkpoint(model=late).restore(first).expect_partial()
    late.z = tf.Variable(100.0)
    late.branches = [leaf(100.0)]
    late.unknown = tf.Variable(100.0)
    made_later = [v.numpy().tolist() for v in late.variables]
    at_root = tf.train.Checkpoint(model, extra=tf.Variable(1.0)).write(directory + "/root")
    root_names = [each for each in tf.train.list_variables(at_root) if not each[0].startswith("_CHECKPOINTABLE")]
    value = tf.train.load_variable(first, "step/.ATTRIBUTES/VARIABLE_VALUE")
    return [
        told,
        os.path.basename(latest),
        names,
        _values(other),
        _values(alone),
        made_later,
        int(restored.save_counter.numpy()),
        root_names,
        int(value),
    ]


def _managed(tf, directory):
    step = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(step=step)
    manager = tf.train.CheckpointManager(
        checkpoint, directory + "/kept", max_to_keep=2, step_counter=step, checkpoint_interval=3
    )
    saved = []
    for _ in range(10):
        step.assign_add(1)
        saved.append(manager.save())
    unchanged = manager.save(check_interval=False)
    step.assign_add(1)
    forced = manager.save(check_interval=False, checkpoint_number=77)
    paths = [
        path and os.path.basename(path)
        for path in [*saved, unchanged, forced, *manager.checkpoints, manager.latest_checkpoint]
    ]
    again = tf.train.CheckpointManager(tf.train.Checkpoint(step=step), directory + "/kept", max_to_keep=2)
    step.assign(0)
    return [
        paths,
        [os.path.basename(p) for p in again.checkpoints],
        os.path.basename(again.restore_or_initialize()),
        int(step.numpy()),
    ]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("program", [_names, _saved, _managed])
def test_program_gives_the_same_on_tensorflow(real_tf, program, tmp_path):
    told = []
    for tf, name in ((whygrad, "whygrad"), (real_tf, "tensorflow")):
        (tmp_path / name).mkdir()
        told.append(program(tf, str(tmp_path / name)))
    assert told[0] == told[1]


def _saved_by(tf, directory, **kwargs):
    return tf.train.Checkpoint(**kwargs).save(directory + "/ckpt")


def _into(tf, path, **kwargs):
    return tf.train.Checkpoint(**kwargs).restore(path)


REFUSED = {
    "another shape": (
        lambda tf, d: _into(tf, _saved_by(tf, d, v=tf.Variable([1.0, 2.0])), v=tf.Variable([1.0, 2.0, 3.0])),
        "Received incompatible tensor with shape (2,) when attempting to restore variable with shape (3,) and name Variable:0.",
    ),
    "another dtype": (
        lambda tf, d: _into(tf, _saved_by(tf, d, v=tf.Variable(1.0)), v=tf.Variable(1)),
        "tensor_name = v/.ATTRIBUTES/VARIABLE_VALUE; expected dtype int32 does not equal original dtype float",
    ),
    "a variable without a value": (
        lambda tf, d: _into(
            tf, _saved_by(tf, d, v=tf.Variable(1.0)), u=tf.Variable(1.0)
        ).assert_existing_objects_matched(),
        "Found 1 Python objects that were not bound to checkpointed values, likely due to changes in the Python program.",
    ),
    "a value without a variable": (
        lambda tf, d: _into(
            tf, _saved_by(tf, d, v=tf.Variable(1.0), u=tf.Variable(1.0)), u=tf.Variable(1.0)
        ).assert_consumed(),
        "Unresolved object in checkpoint (root).v",
    ),
    "no file": (
        lambda tf, d: _into(tf, d + "/nope", v=tf.Variable(1.0)),
        "Failed to find any matching files for",
    ),
    "no path": (
        lambda tf, d: _into(tf, None, v=tf.Variable(1.0)).assert_consumed(),
        "No checkpoint specified (save_path=None); nothing is being restored.",
    ),
    "a number": (lambda tf, d: tf.train.Checkpoint(x=3), "`Checkpoint` was expecting x to be a trackable object"),
    "none to keep": (
        lambda tf, d: tf.train.CheckpointManager(tf.train.Checkpoint(), d, 0),
        "Expected a positive integer or `None` for `max_to_keep`, got 0.",
    ),
    "an interval without a counter": (
        lambda tf, d: tf.train.CheckpointManager(tf.train.Checkpoint(), d, 1, checkpoint_interval=2),
        "`step_counter` should be passed if `checkpoint_interval` is not None.",
    ),
    "an unknown name": (
        lambda tf, d: tf.train.load_variable(_saved_by(tf, d, v=tf.Variable(1.0)), "u"),
        "Key u not found in checkpoint",
    ),
    "an empty directory": (
        lambda tf, d: tf.train.load_checkpoint(d),
        "Couldn't find 'checkpoint' file or checkpoints in given directory",
    ),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(REFUSED))
def test_the_same_is_refused(real_tf, name, tmp_path):
    program, sentence = REFUSED[name]
    kinds = []
    for tf, directory in ((whygrad, "whygrad"), (real_tf, "tensorflow")):
        (tmp_path / directory).mkdir()
        with pytest.raises(Exception) as caught:
            program(tf, str(tmp_path / directory))
        kinds.append(caught.type.__name__)
        assert sentence in str(caught.value)
    assert kinds[0] == kinds[1]
