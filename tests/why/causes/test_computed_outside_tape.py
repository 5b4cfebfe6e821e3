"""The explanation of `computed-outside-tape`."""

import pytest

import whygrad as tf
from tests.support.explanations import NoGradient, WrongValue, checks
from tests.support.programs import cause_of_warning, facts_of, traced

# Line 1 of each program is empty.
CASES = {
    "while recording was stopped": NoGradient(
        """
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                v = w * 2.0
            y = v * 3.0
        tape.gradient(y, w)
        """,
        "computed-outside-tape",
        [
            (5, "w * 2.0", "computed here"),
            (4, "tape.stop_recording()", "stopped here"),
            (7, "tape.gradient(y, w)", "asked here"),
        ],
        {"w": "float32 ()"},
        needs_a_trace=True,
    ),
    "before the tape was reset": NoGradient(
        """
        w = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = w * 2.0
            tape.reset()
        tape.gradient(y, w)
        """,
        "computed-outside-tape",
        [
            (4, "w * 2.0", "computed here"),
            (5, "tape.reset()", "reset here"),
            (6, "tape.gradient(y, w)", "asked here"),
        ],
        {"w": "float32 ()"},
    ),
    "a term outside": WrongValue(
        """
        w = tf.Variable([1.0, 2.0])
        penalty = 0.1 * tf.reduce_sum(w ** 2)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) + penalty
        tape.gradient(loss, w)
        """,
        "computed-outside-tape",
        [(3, "0.1 * tf.reduce_sum(w ** 2)", "computed outside"), (6, "tape.gradient(loss, w)", "asked here")],
        {"loss": "float32 ()"},
        ["the gradient of `loss` with respect to `w` lacks a term", "move this line into the with block"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)


def test_a_target_that_is_computed_in_the_call_of_gradient(tmp_path):
    program = """
    w = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = w * 2.0
        z = w * 3.0
    tape.gradient(y + z, w)
    """
    (cause,) = traced(program, tmp_path)
    sites = [(6, "tape.gradient(y + z, w)", "asked here"), (6, "y + z", "computed here")]
    assert (cause.kind, sorted((s.line, s.text, s.role) for s in cause.sites)) == ("computed-outside-tape", sites)
    assert cause.help == "compute `y + z` inside the with block, and pass the result"


def test_a_result_of_another_thread(tmp_path):
    (cause,) = traced(
        """
        import threading
        w, made = tf.Variable(1.0), []
        with tf.GradientTape() as tape:
            worker = threading.Thread(target=lambda: made.append(w * 2.0))
            worker.start()
            worker.join()
            y = made[0] + 1.0
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert facts_of(cause)[:2] == (
        "computed-outside-tape",
        [(5, "w * 2.0", "computed here"), (9, "tape.gradient(y, w)", "asked here")],
    )
    assert "was computed in another thread, which the tape does not record" in cause.sentence
    assert "in the thread that opened the tape" in cause.help


def test_a_loss_computed_after_the_block():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        predicted = w * 3.0
    loss = tf.square(predicted - 1.0)
    cause = cause_of_warning(lambda: tape.gradient(loss, w))
    assert cause.kind in ("computed-outside-tape", "source-unused")
    assert "does not depend" not in cause.sentence


def test_a_loss_computed_after_the_block_is_located():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        predicted = w * 3.0
    loss = tf.square(predicted - 1.0)
    with pytest.warns(tf.NoGradientWarning) as caught:
        tape.gradient(loss, w)
    (cause,) = caught[0].message.causes
    assert (cause.kind, cause.site.text) == ("computed-outside-tape", "tf.square(predicted - 1.0)")


def test_a_tape_that_was_reset():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        loss = w * 3.0
        tape.reset()
    cause = cause_of_warning(lambda: tape.gradient(loss, w))
    assert (cause.kind, cause.site.text, cause.likely) == ("computed-outside-tape", "tape.reset()", False)
    assert "compute `loss` after it" in cause.help


def test_a_tape_whose_recording_was_stopped():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            features = w * 3.0
        loss = features**2
    cause = cause_of_warning(lambda: tape.gradient(loss, w))
    assert (cause.kind, cause.site.text, cause.likely) == ("computed-outside-tape", "tape.stop_recording()", True)


def test_a_tape_paused_by_init_scope():
    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tf.init_scope():
            features = w * 3.0
        loss = features**2
    cause = cause_of_warning(lambda: tape.gradient(loss, w))
    assert (cause.kind, cause.site.text, cause.likely) == ("computed-outside-tape", "tf.init_scope()", True)
    assert "the block of tf.init_scope()" in cause.help


def test_a_term_that_an_earlier_tape_recorded(tmp_path):
    (cause,) = traced(
        """
        w, total = tf.Variable(2.0), 0.0
        for x in [1.0, 2.0, 3.0]:
            with tf.GradientTape() as tape:
                total += (w * x - 1.0) ** 2 / 3.0
        tape.gradient(total, w)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.symptom, cause.site.line) == ("computed-outside-tape", "wrong_value", 5)
    assert (
        "part of `total` was computed under an earlier tape, which makes it a constant for this one" in cause.sentence
    )
    assert "open one tape around everything that is added up" in cause.help
