"""Causes, answers and warnings as HTML. `tests/browser/test_notebook.py` runs a notebook."""

import html
import re
import warnings

import whygrad as tf
from whygrad.view.terminal import render


def _explained():
    names = {"</pre><script>": tf.Variable(2.5)}
    with tf.GradientTape(persistent=True) as tape:
        y = tf.round(names["</pre><script>"]) * 2.0
    return tape, y, names["</pre><script>"]


def _text(markup):
    """The text of an HTML frame."""
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def test_a_cause_is_the_frame_that_a_terminal_shows():
    tape, y, w = _explained()
    (cause,) = tape.why(y, w).causes
    shown = cause._repr_html_()
    assert _text(shown) == render(cause, width=100)
    assert str(cause) == render(cause)
    assert "<script" not in shown


def test_an_answer_shows_its_graph():
    tape, y, w = _explained()
    answer = tape.why(y, w)
    shown = answer._repr_html_()
    assert shown.startswith("<pre")
    assert shown.count("<iframe") == 1
    assert "<script" not in shown  # in srcdoc it is escaped
    names = [node.name for node in answer.step.nodes]
    assert names == ["w", "round", "multiply"]


def test_a_warning_shows_its_causes():
    tape, y, w = _explained()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tape.gradient(y, w)
    assert "cut here" in caught[0].message._repr_html_()
    assert tf.GradientWarning("a < b")._repr_html_() == "<pre>a &lt; b</pre>"
