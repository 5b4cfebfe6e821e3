"""The page of a trace: its data, and that nothing from the program becomes markup."""

import json
import re

import numpy as np
import pytest

import whygrad as tf
from whygrad.view.page import page
from whygrad.view.page.page import page_of, raised
from whygrad.why.evidence.steps import stop_at

HOSTILE = "</script><script>window.hacked = 1</script><!--<img src=x onerror='window.hacked = 1'>&amp;\u2028"


def run_file(text, path):
    """Run a program that stands in a file."""
    path.write_text(text)
    exec(compile(text, str(path), "exec"), {"__name__": "__main__"})


def data_in(text):
    """The data that a page holds."""
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(found)


def nodes_by_text(data, step=0):
    """The nodes of ops by the text of their expressions, of others by their names."""
    nodes = data["steps"][step]["nodes"]
    return {data["places"][n["at"]]["text"] if n["kind"] == "op" else n["name"]: n for n in nodes}


@pytest.fixture
def traced(tmp_path):
    """Run a program in a trace, and give the data of its page."""

    def run(text, name="program.py"):
        path = tmp_path / name
        with tf.tracing() as trace:
            run_file(text, path)
        return data_in(page_of(trace, here=str(path)))

    return run


CUT = """
import whygrad as tf

w = tf.Variable([3.0, 4.0])
scale = tf.Variable(1.4)
x = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    h = tf.nn.relu(w * x)
    loss = tf.reduce_sum(h * tf.round(scale))
    aside = tf.exp(w)
tape.gradient(loss, [w, scale])
"""


def test_nodes_have_shapes_norms_and_gradients(traced):
    nodes = nodes_by_text(traced(CUT))
    product = nodes["w * x"]
    assert product["shape"] == "float32 (2,)"
    assert product["norm"] == pytest.approx(np.hypot(3.0, 8.0), rel=1e-4)
    assert [link[1:] for link in product["links"]] == [
        ["float32 (2,)", pytest.approx(5**0.5, rel=1e-4)],
        ["float32 (2,)", None],
    ]
    assert nodes["w"]["norm"] == 5.0
    assert nodes["w"]["gradient"] == pytest.approx(5**0.5, rel=1e-4)
    assert nodes["x"]["kind"] == "data"
    assert nodes["x"]["norm"] == pytest.approx(5**0.5, rel=1e-4)


def test_the_cut_the_target_and_what_leads_nowhere_are_marked(traced):
    data = traced(CUT)
    nodes = nodes_by_text(data)
    assert [kind for kind, _ in nodes["tf.round(scale)"]["marks"]] == ["cut"]
    assert "round is a step function" in nodes["tf.round(scale)"]["marks"][0][1]
    assert [kind for kind, _ in nodes["tf.reduce_sum(h * tf.round(scale))"]["marks"]] == ["target"]
    assert [kind for kind, _ in nodes["scale"]["marks"]] == ["source"]
    assert nodes["scale"]["gradient"] is None
    assert not nodes["tf.exp(w)"]["leads"]
    assert nodes["w * x"]["leads"]
    finding = data["findings"][0]
    assert data["places"][nodes["tf.round(scale)"]["at"]]["findings"] == [[0, True]]
    assert finding["sites"][0]["line"] == 9
    assert finding["step"] == data["shown"] == 0


def test_births_and_vanishing_gradients_are_marked(traced):
    data = traced("""
import whygrad as tf
w = tf.Variable([1.0, 0.0])
dead = tf.Variable([-1.0, -2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.math.log(w)) + tf.reduce_sum(tf.nn.relu(dead))
tape.gradient(loss, [w, dead])
""")
    nodes = nodes_by_text(data)
    born = [text for kind, text in nodes["tf.math.log(w)"]["marks"] if kind == "born"]
    assert born[0] == "inf or nan first appears here, in 1 of 2 elements"
    assert nodes["tf.math.log(w)"]["norm"] == "inf"
    assert [kind for kind, _ in nodes["tf.nn.relu(dead)"]["marks"]] == ["vanished"]
    assert nodes["tf.nn.relu(dead)"]["links"][0][2] == 0


def test_a_value_that_leaves_for_numpy_is_a_node(traced):
    data = traced("""
import numpy as np
import whygrad as tf
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.constant(np.exp((w * 2.0).numpy())))
tape.gradient(loss, w)
""")
    left = [node for node in data["steps"][0]["nodes"] if node["kind"] == "left"]
    assert [node["marks"][0][0] for node in left] == ["cut"]
    assert data["steps"][0]["nodes"][left[0]["links"][0][0]]["name"] == "multiply"


def test_ops_before_the_tape_are_in_the_graph(traced):
    nodes = nodes_by_text(
        traced("""
import whygrad as tf
w = tf.Variable([1.0, 2.0])
h = w * 3.0
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(h)
tape.gradient(loss, w)
""")
    )
    assert set(nodes) == {"w", "w * 3.0", "tf.reduce_sum(h)"}


def test_the_step_with_the_finding_is_shown(traced):
    data = traced("""
import whygrad as tf
w = tf.Variable(2.0)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.sqrt(w)
    w.assign_sub(tape.gradient(loss, w) * 0 + 1.0)
    if step == 2:
        break
""")
    assert [step["title"] for step in data["steps"]] == [
        "line 7: tape.gradient(loss, w), call 1",
        "line 7: tape.gradient(loss, w), call 3",
    ]
    assert data["shown"] == 1


def test_an_exception_shows_what_ran_before_it(tmp_path):
    path = tmp_path / "program.py"
    with tf.tracing() as trace, pytest.raises(tf.errors.InvalidArgumentError) as failure:
        run_file("import whygrad as tf\nx = tf.ones((2, 3)) * 2.0\ny = tf.matmul(x, x)\n", path)
    stop = stop_at(failure.value.__traceback__)
    data = data_in(page_of(trace, failure.value.causes, here=str(path), exception=raised(failure.value), stop=stop))
    assert data["steps"][data["shown"]]["title"] == "ops up to the exception"
    nodes = data["steps"][data["shown"]]["nodes"]
    assert "multiply" in [node["name"] for node in nodes]
    assert nodes[-1]["name"] == "matmul"
    assert [kind for kind, _ in nodes[-1]["marks"]] == ["failed"]
    assert [nodes[origin]["name"] for origin, _, _ in nodes[-1]["links"]] == ["multiply", "multiply"]
    assert data["findings"][0]["sites"]
    assert (data["exception"]["kind"], data["exception"]["explained"]) == ("InvalidArgumentError", True)
    assert data["exception"]["site"]["line"] == 3


def test_series_have_norms_and_shares(traced):
    data = traced("""
import whygrad as tf
w = tf.Variable([3.0, 4.0])
for step in range(300):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w * w * [0.5, 0.0]) * (float("nan") if step == 258 else 1.0)
    tape.gradient(loss, w)
""")
    (variable,) = data["variables"]
    assert (variable["name"], variable["shape"], variable["steps"]) == ("w", "float32 (2,)", 300)
    assert len(variable["points"]) <= 256
    points = {point[0]: point[1:] for point in variable["points"]}
    assert points[1] == [3.0, 0.5, 0.0]
    assert points[259] == ["nan", 0.0, 1.0]


def test_nothing_of_the_program_is_markup(traced):
    text = f"""
import whygrad as tf
hostile = {HOSTILE!r}
params = {{hostile: tf.Variable([1.0, 0.0], name="w")}}  # {HOSTILE.replace(chr(0x2028), "")}
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.sqrt(params[hostile])) + float(len("</script>"))
tape.gradient(loss, params)
"""
    name = "a<b>&'.py"
    data = traced(text, name)
    assert data["variables"][0]["name"] == f"params[{HOSTILE!r}]"
    assert data["files"][0]["name"].endswith(name)
    assert "</script>" in "".join(data["files"][0]["lines"])
    written = page.document(data)
    assert written.count("</script") == written.count("<script") == 3
    assert "<img" not in written
    assert "<!--" not in written
    assert "\u2028" not in written


def test_the_page_loads_nothing(traced):
    written = page.document(traced(CUT))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', written)[1]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    loaded = re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)[^"']+|@import|url\((?!#)""", written)
    assert loaded == []


def test_python_is_coloured_and_other_text_is_left_alone():
    assert page._tokens(["x = 1  # one", 'y = f"{x}"'])[1] == [[4, 5, "n"], [7, 12, "c"]]
    assert page._tokens(["this is (not Python"]) == {1: [[5, 7, "k"], [9, 12, "k"]]}


def test_a_trace_writes_its_page(tmp_path):
    with tf.tracing() as trace:
        pass
    assert trace.html(tmp_path / "page.html") == (tmp_path / "page.html").read_text()
    assert dir(trace) == ["counts", "findings", "html"]
    assert str(trace) == "whygrad: no gradient problems found (checked 0 tapes, 0 gradients, 0 ops)"
