"""The page of a trace in a real browser."""

import textwrap
import time
from itertools import pairwise

import pytest

import whygrad as tf
from whygrad.view.page.page import page_of, page_of_step, raised

PROGRAM = """
import whygrad as tf

x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
w = tf.Variable([[0.5, -0.5], [0.25, 1.0]])
scale = tf.Variable(1.5)
bias = tf.Variable([0.0, 0.0])


def hidden(x):
    return tf.nn.relu(tf.matmul(x, w) + bias) * tf.round(scale)


def loss_of(x):
    h = hidden(x)
    return tf.reduce_sum(tf.sqrt(h * 0.0)) + tf.reduce_mean(h)


for step in range(5):
    with tf.GradientTape() as tape:
        loss = loss_of(x)
    gradients = tape.gradient(loss, [w, scale, bias])
"""


@pytest.fixture
def traced(tmp_path):
    """The page of a program, which may end with an exception."""

    def run(text, name="train.py"):
        path, exception = tmp_path / name, None
        path.write_text(textwrap.dedent(text))
        with tf.tracing() as trace:
            try:
                exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
            except Exception as error:
                exception = raised(error)
        return page_of(trace, here=str(path), exception=exception)

    return run


def picked_lines(page):
    return page.eval_on_selector_all(".line.picked", "lines => lines.map(line => line.dataset.line)")


def node(page, text):
    return page.locator(".node", has_text=text).first


def test_findings_stand_in_the_margin_beside_their_lines(traced, opened, picture):
    page = opened(traced(PROGRAM))
    picture(page, "light")
    assert page.locator("#findings .chip").all_inner_texts() == [
        "1\ninf or nan\ninfinite-slope",
        "2\nNone\nnon-differentiable-op",
    ]
    note = page.locator(".note.causing", has_text="round cuts the path")
    line = page.locator("[data-line='0:11']")
    assert "round(scale)" in line.inner_text()
    assert abs(note.bounding_box()["y"] - line.bounding_box()["y"]) < 250
    assert note.bounding_box()["x"] > line.locator("> code").bounding_box()["x"] + 200
    assert page.locator("[data-line='0:11'] .at.causing").inner_text() == "tf.round(scale)"
    boxes = [each.bounding_box() for each in page.locator(".note").all()]
    for one, other in pairwise(boxes):
        assert one["y"] + one["height"] <= other["y"], "two notes overlap"


def test_the_graph_shows_where_the_path_is_cut_and_where_nan_is_born(traced, opened):
    page = opened(traced(PROGRAM))
    assert "path cut" in page.locator(".node.cut", has_text="line 11").text_content()
    assert "inf or nan born" in page.locator(".node.born").first.text_content()
    assert page.locator(".node.variable").count() == 3
    assert "None" in node(page, "scale").text_content()
    assert page.locator(".edge.bad").count() > 0
    assert "float32 (2, 2)" in page.locator("#canvas").text_content()


def test_a_click_on_a_node_goes_to_its_line_and_a_click_on_a_line_to_its_node(traced, opened):
    page = opened(traced(PROGRAM))
    node(page, "line 11").click()
    assert picked_lines(page) == ["0:11"]
    assert "tf.round" in page.locator("#details").inner_text()
    page.locator("[data-line='0:16'] button").click()
    assert picked_lines(page) == ["0:16"]
    assert "line 16" in page.locator(".node.picked").text_content()


def test_the_line_between_program_and_graph_moves(traced, opened):
    page = opened(traced(PROGRAM))
    width = page.evaluate("document.getElementById('source').offsetWidth")
    line = page.locator("#divider").bounding_box()
    page.mouse.move(line["x"] + 3, line["y"] + 200)
    page.mouse.down()
    page.mouse.move(line["x"] - 197, line["y"] + 220)
    page.mouse.up()
    assert page.evaluate("document.getElementById('source').offsetWidth") == pytest.approx(width - 200, abs=8)
    page.locator("#divider").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.getElementById('source').offsetWidth") == pytest.approx(width - 168, abs=8)
    page.locator("#divider").dblclick()
    assert page.evaluate("document.getElementById('source').offsetWidth") == width


def test_a_group_opens_and_closes(traced, opened):
    page = opened(traced(PROGRAM))
    before = page.locator(".node").count()
    node(page, "line 11").click()
    assert page.locator(".node .small", has_text="matmul ·").count() == 1
    assert page.locator(".node").count() > before
    page.locator(".cluster.line text").click()
    assert page.locator(".node").count() == before


def test_the_keyboard_is_enough(traced, opened):
    page = opened(traced(PROGRAM))
    page.keyboard.press("n")
    first = picked_lines(page)
    page.keyboard.press("n")
    assert first == ["0:16"]
    assert picked_lines(page) == ["0:11"]
    page.locator(".node.variable").first.focus()
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.getAttribute('data-key')")
    assert focused.startswith("l|")
    before = page.locator(".node").count()
    page.keyboard.press("Enter")
    assert page.locator(".node").count() > before
    page.keyboard.press("v")
    assert page.locator("#variables").is_visible()
    page.keyboard.press("g")
    assert page.locator("#graph").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("relu")
    assert page.locator("#found").inner_text() == "1 found"
    assert page.locator(".node.hit .small").all_text_contents()[0].startswith("relu")
    page.keyboard.press("Enter")
    assert picked_lines(page) == ["0:11"]
    page.keyboard.press("Escape")
    assert page.locator(".node.hit").count() == 0


def test_variables_have_plots(traced, opened, picture):
    page = opened(traced(PROGRAM))
    page.click("#tab-variables")
    picture(page, "variables")
    rows = page.locator("#variables tbody tr")
    assert rows.count() == 3
    assert rows.nth(1).locator(".plot").all_inner_texts()[0] == "None"
    assert rows.nth(0).locator("svg").count() == 3
    rows.nth(1).locator("button", has_text="scale").click()
    assert "scale" in page.locator(".node.picked").text_content()
    assert picked_lines(page) == ["0:6"]


def test_a_box_adds_up_what_came_back_to_it(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            x = w * 2.0
            part = x[0] * x[1] + tf.reduce_sum(tf.nn.relu(-x))
            lost = tf.exp(w)
            loss = part + tf.reduce_sum(tf.sqrt(lost - lost))
        tape.gradient(loss, w)
        """)
    )
    assert "∇ 4 + 2" in node(page, "w * 2.0").text_content()  # and 0, from relu
    assert node(page, "tf.exp(w)").text_content().endswith("∇ inf")


def test_it_is_dark_where_the_reader_prefers_that(traced, opened, picture):
    html = traced(PROGRAM)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = opened(html, color_scheme="light").evaluate(colour)
    page = opened(html, color_scheme="dark")
    picture(page, "dark")
    dark = page.evaluate(colour)
    assert sum(map(int, light[4:-1].split(", "))) > 600 > 200 > sum(map(int, dark[4:-1].split(", ")))
    page.click("#theme")
    assert page.evaluate(colour) == light


def test_it_prints_program_graph_and_variables(traced, opened, picture):
    page = opened(traced(PROGRAM))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    picture(page, "print")
    for part in ("#source", "#graph", "#variables"):
        assert page.locator(part).is_visible()
    assert not page.locator(".bar").is_visible()
    assert page.locator(".note.causing").first.evaluate("note => getComputedStyle(note).position") == "static"
    assert page.pdf()[:5] == b"%PDF-"


def test_on_paper_the_graph_is_as_high_as_what_it_shows(traced, opened):
    page = opened(traced(PROGRAM))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 690, "height": 1000})  # of a sheet, which is narrower than most windows
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    canvas, shape = (
        page.locator("#canvas").bounding_box(),
        page.evaluate("canvas.viewBox.baseVal.height / canvas.viewBox.baseVal.width"),
    )
    assert canvas["height"] == pytest.approx(canvas["width"] * shape, rel=0.02)
    assert page.locator("#graph").bounding_box()["height"] < canvas["height"] + 120
    assert (
        page.evaluate("getComputedStyle(graph, '::before').content")
        == '"line 22: tape.gradient(loss, [w, scale, bias]), call 1"'
    )
    assert page.locator("#legend").is_visible()


HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"


def test_nothing_of_a_hostile_program_runs(traced, opened):
    page = opened(
        traced(
            f"""
            import whygrad as tf
            hostile = {HOSTILE!r}
            params = {{hostile: tf.Variable([1.0, 0.0])}}  # {HOSTILE}
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.sqrt(params[hostile]))
            tape.gradient(loss, params)
            """,
            "a<b onclick=hacked=1>&.py",
        )
    )
    assert page.evaluate("window.hacked") is None
    assert HOSTILE in page.locator("#source").inner_text()
    assert page.locator("img").count() == 0
    node(page, "params").click()
    assert "onerror" in page.locator("#details").inner_text()
    page.click("#tab-variables")
    assert "</script>" in page.locator("#variables").inner_text()
    assert page.evaluate("window.hacked") is None


def test_5000_ops_stay_usable(traced, opened, picture):
    html = traced("""
        import whygrad as tf

        w = tf.Variable([[0.2, 0.1], [0.0, 0.3]])
        h = tf.constant([[1.0, 2.0]])


        def cell(h, i):
            gate = tf.sigmoid(tf.matmul(h, w))
            return tf.tanh(gate * h + 0.01)


        with tf.GradientTape() as tape:
            for i in range(1000):
                h = cell(h, i)
            loss = tf.reduce_sum(h)
        tape.gradient(loss, w)
        """)
    began = time.perf_counter()
    page = opened(html)
    assert page.evaluate("JSON.parse(document.getElementById('data').textContent).steps[0].nodes.length") > 5000
    picture(page, "large")
    assert page.locator(".node").count() < 60
    node(page, "line 9").click()
    page.locator(".node .small", has_text="× 1000").first.click()
    assert 40 < page.locator(".node").count() < 120
    page.fill("#search", "tanh")
    page.keyboard.press("Enter")
    assert page.locator(".node.hit").count() > 0
    assert time.perf_counter() - began < 30


def test_a_click_on_a_box_at_the_edge_is_a_click(traced, opened):
    page = opened(traced(PROGRAM))
    box, pane = node(page, "line 11"), page.locator("#graph").bounding_box()
    at = box.bounding_box()
    start, y = pane["x"] + pane["width"] - 10, pane["y"] + 10
    page.mouse.move(start, y)
    page.mouse.down()
    page.mouse.move(start - (at["x"] + at["width"] / 2 - pane["x"]), y, steps=4)  # half of the box leaves the pane
    page.mouse.up()
    at = box.bounding_box()
    assert at["x"] < pane["x"] < at["x"] + at["width"] - 20
    page.mouse.click(pane["x"] + 12, at["y"] + at["height"] / 2)
    assert picked_lines(page) == ["0:11"]


def test_what_is_searched_in_a_graph_shown_whole_can_be_read(traced, opened):
    page = opened(traced(PROGRAM))
    for _ in range(8):
        page.keyboard.press("-")
    assert node(page, "bias").bounding_box()["height"] < 12
    page.fill("#search", "bias")
    page.keyboard.press("Enter")
    assert page.locator(".node.picked").bounding_box()["height"] > 24


def test_many_findings_leave_room_and_stand_by_their_lines(traced, opened, picture):
    lines = ["import whygrad as tf", "x = tf.Variable([1.0, 2.0])"]
    for i in range(40):
        lines += ["with tf.GradientTape() as tape:", f"    y = tf.round(x * {i}.5)", "tape.gradient(y, x)"]
    page = opened(traced("\n".join(lines)))
    assert page.locator("#findings .chip").count() == 40
    assert page.locator("header").bounding_box()["height"] < 150
    for _ in range(30):
        page.keyboard.press("n")
    picture(page, "many")
    assert page.locator(".chip.current .number").inner_text() == "30"
    view = page.locator("#findings").bounding_box()
    assert view["y"] <= page.locator(".chip.current").bounding_box()["y"] < view["y"] + view["height"]
    lines = page.locator(".line:has(.note.causing)")
    for i in (3, 20, 39):
        line, note = lines.nth(i).bounding_box(), lines.nth(i).locator(".note.causing").bounding_box()
        assert -1 <= note["y"] - line["y"] <= 250


def test_a_program_without_ops_has_a_page(traced, opened):
    page = opened(traced("x = 1\n"))
    assert "no gradient problems found" in page.locator("#findings").inner_text()
    frame, text = page.locator("#graph").bounding_box(), page.locator("#graph .empty").bounding_box()
    assert frame["y"] <= text["y"] < frame["y"] + 100, "the sentence lies out of sight"
    assert not page.locator("#tools").is_visible()


def test_an_exception_stands_at_its_line(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        rates = {"slow": 0.1}
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        w.assign_sub(rates["<b>fast</b>"] * tape.gradient(loss, w))
        """)
    )
    note = page.locator("[data-line='0:8'] .note")
    assert note.inner_text().split("\n\n") == ["raised here", "KeyError: '<b>fast</b>'"]
    assert page.locator("[data-line='0:8'] .at.causing").all_inner_texts() == ["rates[", '"<b>fast</b>"', "]"]
    assert "no gradient problems found before the exception" in page.locator("#findings").inner_text()
    page.locator(".chip", has_text="KeyError").click()
    assert picked_lines(page) == ["0:8"]


def test_a_gradient_that_fails_while_a_function_is_traced_has_its_graph(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        w = tf.Variable([1.0, 2.0])


        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(tf.round(w))
            w.assign_sub(tape.gradient(loss, w))


        step()
        """)
    )
    assert page.locator(".node.cut", has_text="line 10").count() == 1
    assert "∇ None" in page.locator(".node.variable").text_content()


def test_gradients_that_fade_from_layer_to_layer_are_marked(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        weights = [tf.Variable([[0.1, 0.2], [0.3, 0.1]]) for _ in range(12)]
        h = tf.constant([[1.0, 2.0]])
        with tf.GradientTape() as tape:
            for w in weights[:6]:
                h = tf.sigmoid(h @ w)
            for w in weights[6:]:
                h = tf.sigmoid(h @ w)
            loss = tf.reduce_sum(h)
        tape.gradient(loss, weights)
        """)
    )
    faded = page.locator(".node.variable", has_text="gradient fades")
    whole = page.locator(".node.variable").all_text_contents()
    assert 0 < faded.count() < len(whole)
    assert "weights[0]" in faded.first.text_content()
    assert "weights[11]" not in " ".join(faded.all_text_contents())
    faded.first.click()
    assert "less than a millionth" in page.locator("#details").inner_text()


def test_a_condition_does_not_count_as_a_cut(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        x = tf.Variable([1.0, -2.0])
        with tf.GradientTape() as tape:
            positive = x > 0.0
            loss = tf.reduce_sum(tf.where(positive, x * x, x))
        tape.gradient(loss, x)
        """)
    )
    assert page.locator(".node.cut").count() == 0
    node(page, "x > 0.0").click()
    assert "takes another path" in page.locator("#details").inner_text()


def test_a_variable_that_an_op_reads_and_numpy_takes_is_one_box(traced, opened):
    page = opened(
        traced("""
        import numpy as np
        import whygrad as tf

        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.round(w) * np.square(w))
        tape.gradient(loss, w)
        """)
    )
    assert page.locator(".node.variable").count() == 1


def test_a_finding_marks_the_op_and_not_what_it_was_given(opened):
    x = tf.Variable([1.0, 0.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(tf.sqrt(x))
    page = opened(page_of_step(tape.why(loss, x).step))
    assert page.locator(".node.causing").count() == 1
    assert page.locator(".node.variable .badge").all_text_contents() == ["source"]


def test_variables_of_a_loop_are_one_box_until_it_is_opened(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        weights = [tf.Variable(0.1 * i + 1.0) for i in range(20)]
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            for w in weights:
                x = x * w
        tape.gradient(x, weights)
        """)
    )
    box = page.locator(".node.variable")
    assert box.count() == 1
    assert "weights[0] … weights[19]" in box.text_content()
    assert "20 variables" in box.text_content()
    box.click()
    assert page.locator(".node.variable").count() == 20


def test_names_in_sentences_are_code_and_lines_do_not_run_through_labels(traced, opened):
    page = opened(traced(PROGRAM))
    assert "scale" in page.locator(".note.causing p code").all_inner_texts()
    assert "`" not in page.locator(".note.causing", has_text="round cuts").inner_text()
    for label in page.locator(".edge").all()[:4]:
        text, behind = label.locator("text").bounding_box(), label.locator("rect").bounding_box()
        assert behind["x"] <= text["x"] + 1
        assert behind["width"] >= text["width"] - 2


def test_many_values_that_are_data_leave_variables_as_they_are(traced, opened):
    page = opened(
        traced("""
        import whygrad as tf

        w = tf.Variable([0.5, 0.5])
        rows = [tf.constant([1.0, float(i)]) for i in range(60)]
        with tf.GradientTape() as tape:
            loss = tf.add_n([tf.reduce_sum(row * w) for row in rows])
        tape.gradient(loss, w)
        """)
    )
    assert page.locator(".node.group.data .small").text_content().startswith("60 values")
    assert page.locator(".node.variable:not(.group)").count() == 1


def test_what_opens_comes_into_view(traced, opened):
    page = opened(traced(PROGRAM), viewport={"width": 1500, "height": 620})
    node(page, "line 16").click()
    frame = page.locator("#graph").bounding_box()
    inside = page.locator(".node.picked, .node:has(.small:text-matches('sqrt'))").first.bounding_box()
    assert frame["y"] <= inside["y"]
    assert inside["y"] + inside["height"] <= frame["y"] + frame["height"]
