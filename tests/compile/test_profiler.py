"""`tf.profiler.experimental` takes Python's own profile and writes it where TensorFlow writes its own."""

import pstats

import pytest

import whygrad as tf

profiler = tf.profiler.experimental


def written(folder):
    (path,) = folder.glob("plugins/profile/*/*.pstats")
    return pstats.Stats(str(path))


def names_in(stats):
    return {name for _, _, name in stats.stats}


def busy():
    return tf.reduce_sum(tf.sin(tf.ones([3])))


def test_start_and_stop(tmp_path):
    profiler.start(tmp_path, profiler.ProfilerOptions(host_tracer_level=3))
    try:
        busy()
        with pytest.raises(tf.errors.AlreadyExistsError, match="Another profiler is running"):
            profiler.start(tmp_path)
    finally:
        profiler.stop()
    assert "busy" in names_in(written(tmp_path))
    with pytest.raises(tf.errors.UnavailableError, match="No profiler is running"):
        profiler.stop()


def test_a_block(tmp_path):
    with profiler.Profile(str(tmp_path)), profiler.Trace("step", step_num=1) as trace:
        trace.set_metadata(batch=2)
        busy()
    assert "busy" in names_in(written(tmp_path))


def test_nothing_is_written_if_not_asked(tmp_path):
    profiler.start(tmp_path)
    profiler.stop(save=False)
    assert not list(tmp_path.iterdir())
