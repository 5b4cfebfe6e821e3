"""The garbage collector runs less often while a program is traced, and as before afterwards."""

import gc

import pytest

import whygrad as tf
from whygrad.runtime import collector


@pytest.fixture
def usual():
    before = gc.get_threshold()
    gc.set_threshold(*collector._USUAL)
    yield collector._USUAL
    gc.set_threshold(*before)


def test_the_thresholds_are_restored(usual):
    with tf.tracing():
        assert gc.get_threshold() == collector._RARER
        with tf.tracing():
            assert gc.get_threshold() == collector._RARER
        assert gc.get_threshold() == collector._RARER
    assert gc.get_threshold() == usual


def test_the_programs_own_thresholds_stay(usual):
    gc.set_threshold(500, 5, 5)
    with tf.tracing():
        assert gc.get_threshold() == (500, 5, 5)
    assert gc.get_threshold() == (500, 5, 5)
    gc.set_threshold(*usual)
    with tf.tracing():
        gc.set_threshold(600, 6, 6)
    assert gc.get_threshold() == (600, 6, 6)


def test_a_switch_turns_it_off(usual, monkeypatch):
    monkeypatch.setenv("WHYGRAD_COLLECT_LESS_OFTEN", "0")
    with tf.tracing():
        assert gc.get_threshold() == usual
