"""A compiled call that gives inf or nan under `enable_check_numerics` is replayed op by op to find the op that made it."""

import pytest

import whygrad as tf
from tests.support.programs import raised, run, warned


def test_a_result_that_is_not_finite_is_traced_to_its_op(check_numerics, tmp_path):
    program = """
    @tf.function
    def f(x):
        y = tf.nn.relu(x)
        return tf.reduce_mean(tf.math.log(y))
    f(tf.constant([2.0, 1.0]))
    f(tf.constant([1.0, -1.0]))
    """
    (cause,) = raised(program, tmp_path)
    assert (cause.kind, cause.symptom) == ("log-of-zero", "exception")
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (5, "tf.math.log(y)", "born here"),
        (7, "f(tf.constant([1.0, -1.0]))", "called here, and run again op by op"),
    ]
    assert cause.sentence == (
        "`f` gives inf or nan: the logarithm is taken of `y`, which is exactly 0 at 1 of 2 elements"
    )


def test_a_step_is_replayed_with_the_variables_from_before_and_changes_none(check_numerics, tmp_path):
    program = """
    w, steps = tf.Variable([1.0, 0.0]), tf.Variable(0)
    @tf.function
    def step(x):
        steps.assign_add(1)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.sqrt(w * x))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss
    try:
        step(tf.ones(2))
    except tf.errors.InvalidArgumentError as error:
        caught = error
    """
    names = run(program, tmp_path / "program.py")
    (cause,) = names["caught"].causes
    assert cause.kind == "infinite-slope"
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (7, "tf.sqrt(w * x)", "born here"),
        (8, "tape.gradient(loss, w)", "asked here"),
        (11, "step(tf.ones(2))", "called here, and run again op by op"),
    ]
    assert "in a variable assigned by function 'step'" in str(names["caught"])
    assert names["w"].numpy().tolist() == [1.0, 0.0]
    assert names["steps"].numpy() == 0


def test_a_replay_draws_the_same_random_numbers(check_numerics):
    @tf.function
    def f():
        u = tf.random.uniform([4]) - 0.5
        return tf.math.log(u), u

    tf.random.set_seed(3)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f()
    tf.debugging.disable_check_numerics()
    tf.random.set_seed(3)
    _, u = f()
    (cause,) = caught.value.causes
    assert cause.kind == "log-of-negative"
    assert all(str(number) in cause.sentence for number in u.numpy()[u.numpy() < 0][:3])


def test_a_function_inside_a_function_is_replayed_too(check_numerics, tmp_path):
    program = """
    @tf.function
    def inner(x):
        return 1.0 / x
    @tf.function
    def outer(x):
        return inner(x - 1.0) * 2.0
    outer(tf.ones(3))
    """
    (cause,) = raised(program, tmp_path)
    assert (cause.kind, cause.site.line, cause.site.text) == ("division-by-zero", 4, "1.0 / x")


def test_a_gradient_through_a_compiled_call_is_replayed(check_numerics, tmp_path):
    program = """
    x = tf.Variable([1.0, 2.0])
    @tf.function
    def norm(x):
        return tf.sqrt(tf.reduce_sum(x * 0.0))
    with tf.GradientTape() as tape:
        y = norm(x)
    tape.gradient(y, x)
    """
    (cause,) = raised(program, tmp_path)
    assert cause.kind == "infinite-slope"
    assert [(site.line, site.text) for site in cause.sites] == [
        (5, "tf.sqrt(tf.reduce_sum(x * 0.0))"),
        (8, "tape.gradient(y, x)"),
    ]
    assert cause.sentence.startswith("the gradient of `norm` is inf or nan")


def test_a_replay_that_raises(check_numerics, tmp_path):
    program = """
    calls = []
    @tf.function
    def f(x):
        calls.append(1)
        if len(calls) > 1:
            raise KeyError("not again")
        return 1.0 / x
    f(tf.zeros(2))
    """
    (cause,) = raised(program, tmp_path)
    assert cause.kind == "not-finite-here"
    assert "it raises KeyError: 'not again'" in cause.sentence


def test_inf_that_does_not_reach_a_result_is_no_error(check_numerics):
    @tf.function
    def f(x):
        return tf.where(x > 0, tf.math.log(x), 0.0)

    assert f(tf.constant([1.0, 0.0])).numpy().tolist() == [0.0, 0.0]
    assert f.experimental_get_tracing_count() == 1


def test_tapes_do_not_record_a_replay(check_numerics):
    f = tf.function(lambda x: 1.0 / x)
    x = tf.Variable([0.0])
    with tf.GradientTape(persistent=True) as tape:
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(x)
        recorded = len(tape.records)
    assert recorded == 0


def test_a_plain_program_is_told_which_compiled_call_made_nan(tmp_path):
    program = """
    w = tf.Variable(0.3)
    @tf.function
    def rate(c):
        return w * c**0.7
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(rate(tf.constant([0.5, -0.2])) ** 2)
    tape.gradient(loss, w)
    """
    (cause,) = warned(program, tmp_path)
    assert (cause.kind, cause.site.line, cause.site.text) == ("not-finite-here", 7, "rate(tf.constant([0.5, -0.2]))")
    assert "inside of rate, which is compiled" in cause.sentence
