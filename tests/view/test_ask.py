"""why() and tape.why()."""

import gc
import weakref

import numpy as np
import pytest

import whygrad as tf
from whygrad.tape import places


def test_why_shows_the_path_of_a_gradient():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        h = tf.exp(x)
        y = tf.reduce_sum(h)
    g = tape.gradient(y, x)
    answer = tf.why()
    assert [hop.op for hop in answer.path] == ["reduce_sum", "exp"]
    assert [hop.site.text for hop in answer.path] == ["tf.reduce_sum(h)", "tf.exp(x)"]
    np.testing.assert_allclose(answer.norm, np.linalg.norm(g.numpy()), rtol=1e-6)
    assert "the gradient of `y` with respect to `x` has norm" in str(answer)


def test_why_of_a_none_is_its_cause():
    x = tf.Variable([1.2, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.floor(x))
    assert tape.gradient(y, x) is None
    assert tf.why().causes[0].kind == "non-differentiable-op"


def test_why_for_another_source():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = a * 3.0
    gradients = tape.gradient(y, [a, b])
    assert gradients[1] is None
    assert tf.why(0).causes == ()
    assert tf.why(1).causes[0].kind == "source-unused"
    with pytest.raises(IndexError, match="no source number 2"):
        tf.why(2)


def test_tape_why_takes_the_gradient():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.stop_gradient(x) * 3.0
    answer = tape.why(y, x)
    assert answer.causes[0].kind == "stop-gradient-misplaced"
    assert answer.causes[0].site.text == "tf.stop_gradient(x)"
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.gradient(y, x)


def test_asking_keeps_no_large_tensor_alive():
    x = tf.Variable(tf.ones(10_000))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    g = tape.gradient(y, x)
    alive = weakref.ref(g)
    gc.disable()
    try:
        del g
        assert alive() is None
        with pytest.raises(RuntimeError, match="as long as the tape"):
            tf.why()
    finally:
        gc.enable()


# -- the way, op by op --


def way(answer):
    """The ops, with the norms of the gradients they passed back."""
    return [(hop.op, hop.operand, hop.norm) for hop in answer.path]


def two_ways(**how):
    x = tf.Variable([0.5, 1.0])
    with tf.GradientTape(**how) as tape:
        y = x * 2.0
        loss = tf.reduce_sum(tf.sin(y) * tf.exp(y))
    return x, tape, loss


def test_every_path_is_shown_with_norms():
    x, tape, loss = two_ways()
    g = tape.gradient(loss, x)
    answer = tf.why()
    y = 2 * x.numpy().astype(np.float64)
    sin, cos, exp = np.sin(y), np.cos(y), np.exp(y)
    expected = [
        ("reduce_sum", "", np.sqrt(2)),
        ("multiply", "tf.sin(y)", np.linalg.norm(exp)),
        ("multiply", "tf.exp(y)", np.linalg.norm(sin)),
        ("exp", "", np.linalg.norm(sin * exp)),
        ("sin", "", np.linalg.norm(cos * exp)),
        ("multiply", "", np.linalg.norm(g.numpy())),
    ]
    assert [each[:2] for each in way(answer)] == [each[:2] for each in expected]
    np.testing.assert_allclose([each[2] for each in way(answer)], [each[2] for each in expected], rtol=1e-5)
    assert answer.ways == 2
    assert "it took 2 paths" in str(answer)
    assert "tf.sin(y) * tf.exp(y)   through tf.exp(y)" in str(answer)


def test_norms_are_shown_by_every_form_of_the_question():
    x, tape, loss = two_ways()
    _ = g = tape.gradient(loss, x)
    noted = way(tf.why())
    x, tape, loss = two_ways(persistent=True)
    for _ in range(2):
        g = tape.gradient(loss, x)
        assert way(tf.why()) == noted
    assert way(tape.why(loss, x)) == noted
    x, tape, loss = two_ways()
    assert way(tape.why(loss, x)) == noted
    with tf.tracing():
        x, tape, loss = two_ways()
        for _ in range(1):
            g = tape.gradient(loss, x)
        assert way(tf.why()) == noted
    assert g is not None


def test_norms_are_recorded_at_the_first_call_of_a_site_and_after_a_call_of_why():
    noted = []
    for step in range(5):
        x, tape, loss = two_ways()
        g = tape.gradient(loss, x)
        if step != 1:
            noted.append(all(norm is not None for _, _, norm in way(tf.why())))
    assert noted == [True, True, True, True]
    noted, answer = [], None
    for step in range(4):
        x, tape, loss = two_ways()
        g = tape.gradient(loss, x)
        if step in (2, 3):
            answer = tf.why()
            noted.append(all(norm is not None for _, _, norm in way(answer)))
            if step == 2:
                assert "for the norms on the path, ask tape.why(loss, x) in place of tape.gradient" in str(answer)
    assert noted == [False, True]
    assert g is not None


def test_repeating_a_sweep_notifies_no_listener():
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape(persistent=True) as inner:
            y = x * x * x
        dy = inner.gradient(y, x)
        length = outer.length
        assert tf.why().norm == 27.0
        assert outer.length == length
    assert outer.gradient(dy, x).numpy() == 18.0


def test_output_gradients_count_in_the_norms():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.exp(x)
    g = tape.gradient(y, x, output_gradients=tf.constant([0.0, 2.0]))
    assert way(tf.why()) == [("exp", "", pytest.approx(float(np.linalg.norm(g.numpy()))))]


def test_a_long_path_is_abridged_visibly():
    w = tf.Variable([[0.5]])
    with tf.GradientTape() as tape:
        h = tf.ones((1, 1))
        for _ in range(50):
            h = tf.tanh(h @ w)
        loss = tf.reduce_sum(h)
    g = tape.gradient(loss, w)
    answer = tf.why()
    assert (len(answer.path), answer.ways) == (150, 50)
    text = str(answer)
    assert len(text.splitlines()) < 10
    assert "matmul x49" in text
    assert "tanh x50" in text
    assert "abridged: 150 steps" in text
    assert g is not None


def test_a_spent_tape_explains_the_gradients_it_gave():
    x, tape, loss = two_ways()
    g = tape.gradient(loss, x)
    assert tape.why(loss, x).norm == pytest.approx(float(np.linalg.norm(g.numpy())))
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.why(loss, tf.Variable(1.0))


# -- inf, nan and zero --


def infinite_slope(**how):
    x = tf.Variable([0.0, 1.0])
    with tf.GradientTape(**how) as tape:
        loss = tf.reduce_sum(tf.sqrt(x))
    return x, tape, loss


def told(answer):
    (cause,) = answer.causes
    return cause.kind, cause.site.text, cause.sites[-1].role


def dead_at_a_minimum(**how):
    x = tf.Variable([0.5, 1.0])
    with tf.GradientTape(**how) as tape:
        loss = tf.reduce_sum(tf.nn.relu(x - 5.0))  # 0, as of a hinge that is satisfied
    return x, tape, loss


def dead(**how):
    x = tf.Variable([0.5, 1.0])
    with tf.GradientTape(**how) as tape:
        loss = tf.reduce_sum(tf.nn.relu(x - 5.0)) + 1.0
    return x, tape, loss


@pytest.mark.parametrize(
    ("program", "kind", "text"),
    [(infinite_slope, "infinite-slope", "tf.sqrt(x)"), (dead, "saturated-region", "tf.nn.relu(x - 5.0)")],
)
def test_the_cause_of_numbers(program, kind, text):
    x, tape, loss = program(persistent=True)
    g = tape.gradient(loss, x)
    assert told(tf.why()) == (kind, text, "asked here")
    assert told(tape.why(loss, x)) == (kind, text, "asked here")
    x, tape, loss = program()
    assert told(tape.why(loss, x)) == (kind, text, "asked here")
    with tf.tracing() as trace:
        for _ in range(4):  # also where it was said already
            x, tape, loss = program()
            g = tape.gradient(loss, x)
            answer = tf.why()
            assert told(answer) == (kind, text, "asked here")
        assert list(answer.causes) == trace.findings
        x, tape, loss = program()
        assert told(tape.why(loss, x))[:2] == (kind, text)
    assert g is not None


@pytest.mark.parametrize(
    ("program", "kind", "text"),
    [
        (infinite_slope, "infinite-slope", "tf.sqrt(x)"),
        (dead, "saturated-region", "tf.nn.relu(x - 5.0)"),
        (dead_at_a_minimum, "saturated-region", "tf.nn.relu(x - 5.0)"),
    ],
)
def test_what_was_found_while_there_were_values_is_remembered(program, kind, text, monkeypatch):
    monkeypatch.setattr(places, "_places", {})  # as if each were the first call here
    x, tape, loss = program()
    g = tape.gradient(loss, x)  # a tape that keeps no values after this
    assert told(tf.why()) == told(tape.why(loss, x)) == (kind, text, "asked here")
    assert g is not None


@pytest.mark.filterwarnings("ignore::whygrad.GradientWarning")  # so that nothing is looked for
def test_without_values_the_place_is_known_and_how_to_know_more():
    x, tape, loss = infinite_slope()
    g = tape.gradient(loss, x)
    answer = tf.why()
    assert answer.causes == ()
    assert answer.hint.startswith("tf.sqrt, line ")
    assert "turned a finite gradient into inf or nan; to see why, ask tape.why(loss, x)" in answer.hint
    x, tape, loss = dead()
    g = tape.gradient(loss, x)
    assert "tf.nn.relu, line " in tf.why().hint
    assert "turned it into zeros; to see why" in tf.why().hint
    x = tf.Variable(0.0)
    with tf.GradientTape() as tape:
        loss = tf.math.log(x)
    g = tape.gradient(loss, x)
    assert tf.why().hint.startswith("`loss` itself is not finite; to see why")
    assert g is not None


def test_an_op_with_unknown_inputs_is_not_explained():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x + tf.constant([np.inf, 0.0]))  # addition keeps nothing: the constant is not known
        loss = loss * x[0]
    answer = tape.why(loss, x)
    assert answer.causes == ()
    assert "`loss` itself is not finite" in answer.hint


def test_at_a_minimum_zero_is_no_mistake():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = tf.square(x - 1.0)
    answer = tape.why(loss, x)
    assert (answer.causes, answer.norm) == ((), 0.0)
    assert "whygrad run" not in str(answer)


def test_requested_zeros_are_named_as_such():
    x, v = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = x * 2.0
    g = tape.gradient(loss, [x, v], unconnected_gradients="zero")
    answer = tf.why(1)
    assert answer.causes[0].kind == "source-unused"
    assert "is zero, in place of None" in answer.causes[0].sentence
    assert 'unconnected_gradients="zero"' in answer.sentence
    assert g is not None


def test_why_of_a_jacobian():
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.exp(x)
    j = tape.jacobian(y, x)
    answer = tf.why()
    assert answer.sentence.startswith("the jacobian of `y` with respect to `x` has norm")
    assert answer.norm == pytest.approx(float(np.linalg.norm(j.numpy())))
    assert way(answer) == [("exp", "", None)]
    b = tape.batch_jacobian(y, x)
    assert tf.why().norm == pytest.approx(float(np.linalg.norm(b.numpy())))


def test_very_many_paths():
    x = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        y = x
        for _ in range(30):
            y = y * 0.5 + y * 0.5
    g = tape.gradient(y, x)
    assert tf.why().ways == 2**30
    assert "it took more than 1000 paths" in str(tf.why())
    assert g is not None


def test_why_of_a_tape_that_was_never_entered():
    with pytest.raises(RuntimeError, match="never entered") as caught:
        tf.GradientTape().why(tf.constant(1.0), tf.Variable(1.0))
    assert caught.value.causes[0].kind == "tape-never-entered"


def test_rules_that_take_gradients_themselves_are_not_the_last_call():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.reduce_sum(tf.py_function(lambda v: v * v, [x], tf.float32))
    g = tape.gradient(y, x)
    for _ in range(2):
        assert tf.why().norm == pytest.approx(float(np.linalg.norm(g.numpy())))


def test_the_error_of_a_second_why_names_the_first_call():
    x, other = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * other
    tape.why(y, x)
    with pytest.raises(RuntimeError, match="only be used to compute one set") as caught:
        tape.why(y, other)
    (cause,) = caught.value.causes
    used = next(site for site in cause.sites if site.role == "used up here")
    assert (used.file, used.text) == (__file__, "tape.why(y, x)")


def test_why_answers_for_small_gradients_that_were_only_printed(capsys):
    x = tf.Variable([2.0, 0.0])
    with tf.GradientTape() as tape:
        y = tf.sqrt(x)
    print(tape.gradient(y, x).numpy())
    assert "inf" in capsys.readouterr().out
    answer = tf.why()
    assert "has norm inf, shape (2,)" in answer.sentence
    assert [hop.op for hop in answer.path] == ["sqrt"]


def test_why_of_large_discarded_gradients_suggests_to_keep_them():
    x = tf.Variable(tf.ones(10_000))
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match=r"keep them under a name, grads = tape\.gradient\(\.\.\.\), and ask then"):
        tf.why()


def test_a_variable_that_changed_since_is_marked():
    w = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(w**3)
    assert "changed since" not in str(tape.why(loss, w))
    w.assign_add([1.0, 1.0])
    said = str(tape.why(loss, w))
    assert "at the value that `w` had when it was read: it has been changed since" in said
    np.testing.assert_allclose(tape.gradient(loss, w).numpy(), [3.0, 12.0])
