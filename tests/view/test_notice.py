"""When explanations appear: warnings at the caller's line, once per site; notes on exceptions; nothing otherwise."""

import inspect
import traceback
import warnings

import pytest

import whygrad as tf
from whygrad.view import notice


@pytest.fixture(autouse=True)
def _nothing_said_yet():
    notice._reported.clear()


def _unwatched():
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape, y, x


def _line_of(text):
    """The number of the line of this file that holds `text`."""
    lines = inspect.getsource(inspect.getmodule(_line_of)).splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line and "_line_of" not in line)


def test_none_warns_at_the_callers_line():
    tape, y, x = _unwatched()
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(y, x)  # the call that gives None
    assert caught[0].filename == __file__
    assert caught[0].lineno == _line_of("# the call that gives None")
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.symptom) == ("source-not-watched", "none")
    assert "the gradient of `y` with respect to `x` is None" in str(caught[0].message)


def test_sites_in_another_file_are_shown_under_its_name(tmp_path, monkeypatch):
    (tmp_path / "layers_of_somebody.py").write_text("def exit(x):\n    return x.numpy() * 2.0\n")
    monkeypatch.syspath_prepend(tmp_path)
    from layers_of_somebody import exit

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = tf.constant(exit(x))
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(y, x)
    assert f"  in {tmp_path / 'layers_of_somebody.py'}\n  " in str(caught[0].message)


def test_once_per_place():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(3):
            tape, y, x = _unwatched()
            tape.gradient(y, x)
    assert len(caught) == 1


def test_each_place_by_itself():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tape, y, x = _unwatched()
        tape.gradient(y, x)
        tape, y, x = _unwatched()
        tape.gradient(y, x)
    assert len(caught) == 2


def test_sources_with_one_cause_share_a_warning():
    a, b = tf.Variable(1.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.round(a * b)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(y, [a, b])
    assert len(caught) == 1


def test_warnings_are_filterable_by_class():
    tape, y, x = _unwatched()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=tf.GradientWarning)
        assert tape.gradient(y, x) is None


def test_a_warning_can_be_an_error():
    tape, y, x = _unwatched()
    with warnings.catch_warnings():
        warnings.simplefilter("error", tf.GradientWarning)
        with pytest.raises(tf.NoGradientWarning, match="does not watch"):
            tape.gradient(y, x)


def test_an_error_is_raised_each_time():
    with warnings.catch_warnings():
        warnings.simplefilter("error", tf.GradientWarning)
        for _ in range(2):
            tape, y, x = _unwatched()
            with pytest.raises(tf.NoGradientWarning):
                tape.gradient(y, x)


def test_a_warning_is_repeated_when_filters_change():
    def ask():
        tape, y, x = _unwatched()
        return tape.gradient(y, x)

    for _ in range(2):
        with pytest.warns(tf.NoGradientWarning):
            ask()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(tf.NoGradientWarning):
            ask()


def test_equal_code_in_two_files_warns_in_both(tmp_path):
    program = "with tf.GradientTape() as tape:\n    y = tf.floor(x)\ntape.gradient(y, x)\n"
    codes = [compile(program, str(tmp_path / name), "exec") for name in ("one.py", "two.py")]
    assert codes[0] == codes[1]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for code in codes:
            exec(code, {"tf": tf, "x": tf.Variable(1.5)})
    assert [each.filename for each in caught] == [code.co_filename for code in codes]


def test_an_ignored_warning_is_not_explained(monkeypatch):
    tape, y, x = _unwatched()
    monkeypatch.setattr(notice, "diagnose", lambda *call: pytest.fail("explained"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.GradientWarning)
        assert tape.gradient(y, x) is None


def test_zeros_on_request_are_silent():
    tape, y, x = _unwatched()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tape.gradient(y, x, unconnected_gradients="zero").numpy() == 0.0


def test_an_empty_list_of_sources_warns():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    with pytest.warns(tf.EmptyGradientWarning, match="is empty"):
        assert tape.gradient(y, []) == []


def test_a_broadcast_of_both_operands_warns():
    predicted, labels = tf.Variable(tf.ones((5, 1))), tf.ones(5)
    with tf.GradientTape() as tape:
        error = predicted - labels
        loss = tf.reduce_mean(error**2)
    with pytest.warns(tf.BroadcastWarning) as caught:
        tape.gradient(loss, predicted)
    (cause,) = caught[0].message.causes
    assert cause.site.text == "predicted - labels"
    assert "(5, 1)" in cause.sentence
    assert "(5, 5)" in cause.sentence


def test_a_healthy_gradient_is_silent():
    x = tf.Variable([1.0, 2.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)


def test_exceptions_of_gradient_carry_and_show_their_causes():
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = x * 2.0
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tape.gradient(y, x, output_gradients=tf.ones(4))
    (cause,) = caught.value.causes
    assert cause.kind == "output-gradients-mismatch"
    shown = "".join(traceback.format_exception_only(caught.value))
    assert shown.count("the upstream gradient for `y` has shape (4,), but `y` has shape (3,)") == 1


def test_exceptions_of_ops_show_their_line():
    a, b = tf.ones((2, 3)), tf.ones((4,))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        a + b
    (cause,) = caught.value.causes
    assert cause.kind == "shape-mismatch"
    assert cause.site.text == "a + b"
    assert "failed here" in "".join(traceback.format_exception_only(caught.value))


def test_python_exceptions_of_gradient_get_a_note():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError) as caught:
        tape.gradient(y, x)
    assert caught.value.causes[0].kind == "tape-used-twice"
    assert "persistent=True" in caught.value.__notes__[0]


def test_gradient_returns_when_its_explanation_fails(monkeypatch):
    def broken(*args):
        raise KeyError("a bug in an explanation")

    monkeypatch.setattr("whygrad.why.diagnosis.strict", False)
    monkeypatch.setattr("whygrad.why.diagnosis.explain_none", broken)
    tape, y, x = _unwatched()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tape.gradient(y, x) is None
