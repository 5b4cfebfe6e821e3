"""The user's line, from wherever whygrad was called."""

import threading

import whygrad as tf
from whygrad.runtime.call_sites import GENERATED, is_ours, users_site


def test_files_are_ours_or_the_users():
    assert is_ours(tf.__file__)
    assert is_ours(tf.tanh.__code__.co_filename)
    assert tf.tanh.__code__.co_filename.startswith(GENERATED)
    assert not is_ours(__file__)


def test_a_site_is_the_users_code_and_instruction():
    code, instruction = users_site()
    assert code is test_a_site_is_the_users_code_and_instruction.__code__
    assert instruction >= 0
    assert users_site(10**6)[0] is code  # deeper than the stack


def test_an_op_without_a_python_caller_is_recorded():
    """A thread's target may be an op itself."""
    x = tf.constant(2.0)
    made = []

    def run():
        with tf.GradientTape() as tape:
            tape.watch(x)
            list(map(tf.tanh, [x]))
            tf.tanh(x)
        made.extend(tape.records)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert [record.code for record in made] == [run.__code__, run.__code__]
