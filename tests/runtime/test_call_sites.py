"""The user's line, from wherever whygrad was called."""

import threading

import whygrad as tf
from whygrad.runtime.call_sites import is_ours, users_site


def test_files_are_ours_or_the_users():
    assert is_ours(tf.__file__)
    assert is_ours(tf.tanh.__code__.co_filename)
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


def test_the_ops_of_a_recorded_sweep_belong_to_the_line_that_asked():
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(x) * x
        forward = len(outer.records)
        g = inner.gradient(y, x)
        tf.exp(g)
    made = outer.records[forward:]
    here = test_the_ops_of_a_recorded_sweep_belong_to_the_line_that_asked.__code__
    assert len(made) > 3
    assert {record.code for record in made} == {here}
    asked = {record.instruction for record in made[:-1]}
    assert len(asked) == 1
    assert made[-1].instruction > asked.pop()


def test_a_custom_gradient_in_a_recorded_sweep_has_its_own_lines():
    @tf.custom_gradient
    def cube(x):
        def gradient(upstream):
            return 3.0 * x * x * upstream

        rules.append(gradient.__code__)
        return x * x * x, gradient

    rules = []
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(cube(x))
        forward = len(outer.records)
        inner.gradient(y, x)
    codes = [record.code for record in outer.records[forward:]]
    here = test_a_custom_gradient_in_a_recorded_sweep_has_its_own_lines.__code__
    assert codes.count(rules[0]) == 3
    assert set(codes) == {here, rules[0]}
