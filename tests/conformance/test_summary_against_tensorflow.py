"""`tf.summary` beside TensorFlow's: TensorFlow reads what whygrad writes, and both give the same events and classes of errors.

TensorFlow's `scalar`, `histogram`, `image`, `audio` and `text` are TensorBoard's. Where that is not installed, TensorFlow writes the
tensors and metadata that TensorBoard is documented to write, which these tests state.
"""

import importlib.util
import pathlib

import numpy as np
import pytest

import whygrad

pytestmark = pytest.mark.tensorflow
pytest.importorskip("PIL.Image")

PIXELS = np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)


def _events(real_tf, folder):
    """The events of a file as TensorFlow reads them, without times and the writer's name, images decoded."""
    (path,) = pathlib.Path(folder).glob("events.out.tfevents.*")
    events = []
    for record in real_tf.data.TFRecordDataset(str(path)):
        event = real_tf.compat.v1.Event.FromString(record.numpy())
        assert event.wall_time > 1e9
        event.ClearField("wall_time")
        event.ClearField("source_metadata")
        for value in event.summary.value:
            if value.metadata.plugin_data.plugin_name == "images":
                strings = value.tensor.string_val
                strings[2:] = [real_tf.io.decode_png(each).numpy().tobytes() for each in strings[2:]]
        events.append(event)
    return events


def _described(real_tf, plugin, content=b"", description=""):
    made = real_tf.compat.v1.SummaryMetadata(summary_description=description)
    made.plugin_data.plugin_name = plugin
    made.plugin_data.content = content
    return made


# What each call of whygrad's must equal: a call of `tf.summary.write` of TensorFlow's, with the tensor and metadata.
CALLS = {
    "scalar": (
        lambda tf: tf.summary.scalar("loss", 3, step=2, description="the loss"),
        lambda tf: ("loss", tf.constant(3.0), 2, _described(tf, "scalars", description="the loss")),
    ),
    "histogram": (
        lambda tf: tf.summary.histogram("h h", [1.0, 2.0, 3.5], step=-3, buckets=2),
        lambda tf: ("h h", tf.constant([[1, 2.25, 2], [2.25, 3.5, 1]], tf.float64), -3, _described(tf, "histograms")),
    ),
    "image": (
        lambda tf: tf.summary.image("im", PIXELS, step=1, max_outputs=1),
        lambda tf: ("im", tf.constant([b"2", b"2", tf.io.encode_png(PIXELS[0]).numpy()]), 1, _described(tf, "images")),
    ),
    "image of floats": (
        lambda tf: tf.summary.image("im", np.float32([[[[-1.0], [0.5]], [[1.0], [2.0]]]]), step=1),
        lambda tf: (
            "im",
            tf.constant([b"2", b"2", tf.io.encode_png(np.uint8([[[0], [127]], [[255], [255]]])).numpy()]),
            1,
            _described(tf, "images"),
        ),
    ),
    "text": (
        lambda tf: tf.summary.text("t", [["a", "b"]], step=0),
        lambda tf: ("t", tf.constant([["a", "b"]]), 0, _described(tf, "text")),
    ),
    "audio": (
        lambda tf: tf.summary.audio("au", np.float32([[[0.5]], [[-1]]]), 8000, step=0),
        lambda tf: (
            "au",
            tf.stack([[tf.audio.encode_wav([[each]], 8000), ""] for each in (0.5, -1.0)]),
            0,
            _described(tf, "audio", b"\x10\x0b"),
        ),
    ),
    "any tensor": (
        lambda tf: tf.summary.write("w", tf.constant([[1, 2]]), step=2**40),
        lambda tf: ("w", tf.constant([[1, 2]]), 2**40, None),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_the_same_event(real_tf, tmp_path, name):
    call, expected = CALLS[name]
    with real_tf.summary.create_file_writer(str(tmp_path / "theirs")).as_default():
        tag, tensor, step, described = expected(real_tf)
        real_tf.summary.write(tag, tensor, step, described)
    with whygrad.summary.create_file_writer(str(tmp_path / "ours")).as_default():
        assert call(whygrad).numpy()
    assert _events(real_tf, tmp_path / "ours") == _events(real_tf, tmp_path / "theirs")
    if importlib.util.find_spec("tensorboard"):
        with real_tf.summary.create_file_writer(str(tmp_path / "with tensorboard")).as_default():
            call(real_tf)
        assert _events(real_tf, tmp_path / "with tensorboard") == _events(real_tf, tmp_path / "theirs")


def _function(tf):
    step = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def f(x):
        step.assign_add(1)
        tf.summary.write("x", x)
        with tf.summary.record_if(tf.equal(step % 2, 0)):
            return tf.summary.write("twice", 2.0 * x, step=step * 10)

    with tf.summary.create_file_writer(_function.folder).as_default(step=step):
        return [bool(f(tf.constant(float(i)))) for i in range(4)]


def test_the_same_events_of_a_function(real_tf, tmp_path):
    returned = []
    for tf, folder in ((real_tf, "theirs"), (whygrad, "ours")):
        _function.folder = str(tmp_path / folder)
        returned.append(_function(tf))
    assert returned[0] == returned[1]
    assert _events(real_tf, tmp_path / "ours") == _events(real_tf, tmp_path / "theirs")


def _with_step(tf, step):
    return tf.summary.write("a", 1.0, step=step)


ERRORS = {
    "no step": lambda tf: tf.summary.write("a", 1.0),
    "a step of another dtype": lambda tf: _with_step(tf, tf.constant(1)),
    "a variable of another dtype": lambda tf: _with_step(tf, tf.Variable(1)),
    "a step that is a float": lambda tf: _with_step(tf, 1.5),
    "several steps": lambda tf: _with_step(tf, [1, 2]),
    "a tag that is a number": lambda tf: tf.summary.write(3, 1.0, step=0),
    "no summary": lambda tf: tf.summary.experimental.write_raw_pb(b"junk!", step=0),
    "no step for a summary": lambda tf: tf.summary.experimental.write_raw_pb(b""),
    "no writer to flush": lambda tf: tf.summary.flush(3),
    "no folder": lambda tf: tf.summary.create_file_writer(None),
    "a folder that is a file": lambda tf: tf.summary.create_file_writer(__file__),
    "a folder in a file": lambda tf: tf.summary.create_file_writer(__file__ + "/logs"),
    "no graph": lambda tf: tf.summary.graph(3),
    "no trace": lambda tf: tf.summary.trace_export("a", step=0),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_an_error(real_tf, tmp_path, name):
    def class_of(tf, folder):
        with (
            tf.summary.create_file_writer(str(tmp_path / folder)).as_default(),
            pytest.raises(Exception) as caught,  # its class is compared
        ):
            ERRORS[name](tf)
        return type(caught.value).__name__

    assert class_of(whygrad, "ours") == class_of(real_tf, "theirs")


def test_tags_and_scopes(real_tf):
    def scopes(tf):
        made = []
        with tf.name_scope("outer"), tf.summary.experimental.summary_scope("a b", "default") as one:
            made.append(one)
        with tf.summary.experimental.summary_scope("", "default") as two:
            made.append(two)
        return made

    assert scopes(whygrad) == scopes(real_tf)
