"""Summaries: what reaches the file, when, and with which step. `tests/conformance` compares them with TensorFlow's."""

import gc
import subprocess
import sys
import threading

import numpy as np
import pytest

import whygrad as tf
from tests.support.event_files import events_in, summaries_in
from whygrad.summary.writers import here
from whygrad.summary.writing import histogram_rows


def test_a_file_begins_with_its_version(tmp_path):
    tf.summary.create_file_writer(str(tmp_path)).close()
    (first,) = events_in(tmp_path)
    assert first.file_version == "brain.Event:2"
    assert first.WhichOneof("what") == "file_version"
    assert first.wall_time > 1e9


def test_scalars_with_their_steps_and_scopes(tmp_path):
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=2):
        tf.summary.scalar("a", 0.5)
        with tf.name_scope("outer"):
            tf.summary.scalar("b b", 3, step=7)
    assert summaries_in(tmp_path, tf.float32) == [(2, "a", 0.5), (7, "outer/b b", 3.0)]
    assert events_in(tmp_path)[1].summary.value[0].metadata.plugin_data.plugin_name == "scalars"


def test_a_compiled_function_writes_at_each_call(tmp_path):
    step = tf.Variable(0, dtype=tf.int64)

    @tf.function
    def f(x):
        step.assign_add(1)
        tf.summary.scalar("x", x)
        with tf.summary.record_if(tf.equal(step % 2, 0)):
            return tf.summary.histogram("h", tf.stack([x, x + 1]), buckets=1)

    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=step):
        recorded = [bool(f(tf.constant(float(i)))) for i in range(4)]
    assert recorded == [False, True, False, True]
    events = [(event.step, value.tag) for event in events_in(tmp_path) for value in event.summary.value]
    assert events == [(1, "x"), (2, "x"), (2, "h"), (3, "x"), (4, "x"), (4, "h")]


def test_a_summary_is_no_step_of_a_gradient(tmp_path):
    x = tf.Variable(3.0)
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=0), tf.GradientTape() as tape:
        y = x * x
        tf.summary.scalar("y", y)
    assert [record.plan.primitive.name for record in tape.records] == ["multiply"]
    assert tape.gradient(y, x).numpy() == 6.0


def test_a_function_that_is_not_recorded_is_not_called(tmp_path):
    def never():
        raise AssertionError

    assert not tf.summary.write("a", never, step=0)
    with tf.summary.create_file_writer(str(tmp_path)).as_default(), tf.summary.record_if(lambda: False):
        assert not tf.summary.write("a", never, step=0)


def test_histograms_of_corner_cases():
    assert histogram_rows(np.zeros(0), 2).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert histogram_rows(np.array([2, 2]), 2).tolist() == [[2, 2, 0], [2, 2, 2]]
    assert histogram_rows(np.array([1.0, 3.0]), 0).shape == (0, 3)
    assert histogram_rows(np.array([[1.0, 2.0], [2.5, 3.0]]), 2).tolist() == [[1, 2, 1], [2, 3, 3]]
    assert histogram_rows(np.array([1.0, np.nan]), 1)[0, 2] == 0
    assert histogram_rows(np.array([1.0, np.inf]), 1).tolist() == [[1, np.inf, 1]]


def test_events_wait_for_the_queue(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path), max_queue=2)
    writer.set_as_default()
    try:
        counts = []
        for step in range(4):
            tf.summary.scalar("a", 1.0, step=step)
            counts.append(len(events_in(tmp_path)))
        assert counts == [1, 1, 4, 4]
        tf.summary.flush()
        assert len(events_in(tmp_path)) == 5
    finally:
        here.writer = None


def test_what_waits_is_written_when_the_writer_is_gone(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    block = writer.as_default()
    with block:
        tf.summary.scalar("a", 1.0, step=0)
    del writer, block
    gc.collect()
    assert len(events_in(tmp_path)) == 2


def test_what_waits_is_written_when_the_program_ends(tmp_path):
    program = (
        "import sys, whygrad as tf\n"
        "tf.summary.create_file_writer(sys.argv[1]).set_as_default()\n"
        "for step in range(3): tf.summary.scalar('a', 1.0, step=step)\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
    assert len(events_in(tmp_path)) == 4


def test_default_writer_and_step_belong_to_a_thread(tmp_path):
    seen = []
    with tf.summary.create_file_writer(str(tmp_path)).as_default(step=1):
        thread = threading.Thread(
            target=lambda: seen.extend([tf.summary.experimental.get_step(), bool(tf.summary.scalar("a", 1.0, step=0))])
        )
        thread.start()
        thread.join()
    assert seen == [None, False]


def test_a_closed_writer_says_so(tmp_path):
    writer = tf.summary.create_file_writer(str(tmp_path))
    with writer.as_default(step=0):
        writer.close()
        with pytest.raises(tf.errors.NotFoundError, match="is closed: create another one"):
            tf.summary.scalar("a", 1.0)
    with pytest.raises(RuntimeError, match="already closed"):
        writer.as_default()


def test_graphs_are_refused(tmp_path):
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(),
        pytest.raises(NotImplementedError, match="whygrad has no graphs"),
    ):
        tf.summary.graph(object())
    with pytest.warns(UserWarning, match="whygrad has no graphs to trace"):
        tf.summary.trace_on()
    tf.summary.trace_off()


def test_metadata_is_checked(tmp_path):
    with (
        tf.summary.create_file_writer(str(tmp_path)).as_default(),
        pytest.raises(ValueError, match="not a SummaryMetadata message"),
    ):
        tf.summary.write("a", 1.0, step=0, metadata=b"junk!")
