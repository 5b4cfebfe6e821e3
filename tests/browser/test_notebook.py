"""Notebooks on a real kernel: frames, the graph inline, and cells under their own names."""

import html
import importlib.util
import os
import re
import sys

import pytest

from tests.browser.conftest import require

CELLS = [
    "import whygrad as tf\nx = tf.constant(2.0)\nw = tf.Variable([1.0, 0.0])",
    "with tf.GradientTape() as tape:\n    y = x * x\ng = tape.gradient(y, x)",
    "%load_ext whygrad",
    "with tf.GradientTape() as tape:\n    y = x + x\ng = tape.gradient(y, x)",
    "%%why page.html\nwith tf.GradientTape() as tape:\n    z = tf.reduce_sum(tf.sqrt(w))\ng = tape.gradient(z, w)\n40 + 2",
    "with tf.GradientTape() as tape:\n    z = tf.reduce_sum(tf.sqrt(w))\nanswer = tape.why(z, w)\nanswer",
    "answer.causes[0]",
    "def reshaped(v):\n    return tf.reshape(v, (3,))",
    "%%why\nv = w * 2.0\nreshaped(v)",
    "with tf.tracing() as trace:\n    reshaped_here = tf.exp(w)\nprint([name for name in dir(trace)])\ntrace",
    "%%why too many words\n1",
    "def rounded(v):\n    return tf.round(v)",
    "with tf.GradientTape() as tape:\n    z = rounded(w)\nprint(tape.why(z, w))",
]


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """The outputs of the cells, by their numbers from 1."""
    for package in ("nbclient", "nbformat", "ipykernel"):
        require(importlib.util.find_spec(package) is not None, package)
    import nbclient
    import nbformat
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    class Manager(AsyncKernelManager):  # a kernel of this Python, whatever is installed elsewhere
        @property
        def kernel_spec(self):
            return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"])

    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    nbclient.NotebookClient(
        notebook, timeout=90, allow_errors=True, kernel_manager_class=Manager, resources={"metadata": {"path": folder}}
    ).execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    return {number: cell.outputs for number, cell in enumerate(notebook.cells, 1)}, folder


def only(outputs, kind):
    """The one output of a kind."""
    (found,) = [each for each in outputs if each.output_type == kind]
    return found


def test_a_warning_names_the_cell(executed):
    outputs, _ = executed
    text = only(outputs[2], "stream").text
    assert text.startswith("In [2]:3: NoGradientWarning: the gradient of `y` with respect to `x` is None")
    assert "ipykernel" not in text


def test_with_the_extension_a_warning_is_a_frame(executed):
    outputs, _ = executed
    shown = only(outputs[4], "display_data").data
    assert "does not watch" in shown["text/html"]
    assert shown["text/html"].startswith("<pre")
    assert shown["text/plain"].startswith("the gradient of `y`")


def test_why_shows_the_findings_of_a_cell_and_writes_the_page(executed):
    outputs, folder = executed
    shown = only(outputs[5], "display_data").data
    assert shown["text/plain"].startswith("whygrad: 1 finding (checked 1 tape, 1 gradient, 2 ops)")
    assert "  3 │     z = tf.reduce_sum(tf.sqrt(w))" in shown["text/plain"]  # as the lines of the cell are numbered
    assert "born here" in shown["text/html"]
    assert "<iframe sandbox='allow-scripts'" in shown["text/html"]
    assert only(outputs[5], "execute_result").data["text/plain"] == "42"
    assert '"name":"In [5]"' in (folder / "page.html").read_text()


def test_an_answer_has_its_frames_and_the_graph(executed):
    outputs, _ = executed
    shown = only(outputs[6], "execute_result").data
    assert "has norm inf" in shown["text/plain"]
    assert "infinite" in shown["text/html"]
    (page,) = re.findall(r'srcdoc="([^"]*)"', shown["text/html"])
    assert html.unescape(page).startswith("<!doctype html>")
    cause = only(outputs[7], "execute_result").data
    assert cause["text/html"].startswith("<pre")


def test_an_exception_in_a_cell_is_explained_and_still_raised(executed):
    outputs, _ = executed
    assert "new shape has 3" in only(outputs[9], "display_data").data["text/plain"]
    error = only(outputs[9], "error")
    assert error.ename == "InvalidArgumentError"
    text = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(error.traceback))
    assert re.search(r"In\[9\]", text)
    assert re.search(r"In\[8\]", text)
    assert "whygrad/ops" not in text, "frames of whygrad's own say nothing to a user"


def test_a_trace_shows_what_users_need(executed):
    outputs, _ = executed
    assert only(outputs[10], "stream").text == "['counts', 'findings', 'html']\n"
    assert "no gradient problems found" in only(outputs[10], "execute_result").data["text/html"]


def test_wrong_arguments_of_the_magic_are_refused(executed):
    outputs, _ = executed
    error = only(outputs[11], "error")
    assert (error.ename, "at most the name of one HTML file" in error.evalue) == ("ValueError", True)


def test_another_cell_is_named_above_its_lines(executed):
    outputs, _ = executed
    text = only(outputs[13], "stream").text
    assert "  in In [12]\n" in text
    assert "ipykernel" not in text


def test_the_frame_of_a_notebook_is_drawn_by_a_browser(executed, opened, picture):
    outputs, _ = executed
    shown = only(outputs[5], "display_data").data["text/html"]
    (page,) = re.findall(r'srcdoc="([^"]*)"', shown)
    inner = opened(html.unescape(page), viewport={"width": 900, "height": 460})
    picture(inner, "inline")
    assert inner.locator(".node").count() >= 2
    assert not inner.locator("#source").is_visible()


def test_a_graph_that_is_laid_out_late_stands_in_the_middle(executed, opened):
    outputs, _ = executed
    shown = only(outputs[5], "display_data").data["text/html"]
    page = opened(f"<!doctype html><html data-ready><body><div id=cell hidden>{shown}</div></body></html>")
    page.wait_for_timeout(300)
    page.evaluate("cell.hidden = false")
    frame = page.frame_locator("iframe")
    frame.locator(".node").first.wait_for()
    page.wait_for_timeout(300)
    pane = frame.locator("#graph").bounding_box()
    boxes = [each.bounding_box() for each in frame.locator(".node").all()]
    above = min(box["y"] for box in boxes) - pane["y"]
    below = pane["y"] + pane["height"] - max(box["y"] + box["height"] for box in boxes)
    assert above > 0
    assert below > 0
