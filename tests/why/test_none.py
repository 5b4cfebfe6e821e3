"""What is said of a None: kind, lines, columns, roles, shapes and names, as closely as numbers."""

import numpy as np
import pytest

from tests.why.asked import told, traced, warned

# Each program, its kind, its sites (line, text, role) and its shapes. Line 1 is empty.
CASES = {
    "never watched": (
        """
        x = tf.constant([0.5, 1.0])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x ** 3)
        tape.gradient(y, x)
        """,
        "source-not-watched",
        [(4, "x ** 3", "used here"), (3, "tf.GradientTape()", "tape made here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (2,)"},
    ),
    "watched too late": (
        """
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            y = x ** 3
            tape.watch(x)
        tape.gradient(y, x)
        """,
        "source-not-watched",
        [(5, "tape.watch(x)", "watched here"), (4, "x ** 3", "used here"), (6, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 ()"},
    ),
    "a variable's value, used before the tape met the variable": (
        """
        v = tf.Variable(2.0)
        t = tf.convert_to_tensor(v)
        with tf.GradientTape() as tape:
            y = t * 3.0
            z = v * 2.0
        tape.gradient(y, t)
        """,
        "source-not-watched",
        [(6, "v * 2.0", "watched here"), (5, "t * 3.0", "used here"), (7, "tape.gradient(y, t)", "asked here")],
        {"t": "float32 ()"},
    ),
    "an integer variable": (
        """
        k = tf.Variable([1, 2])
        with tf.GradientTape() as tape:
            y = tf.cast(k, tf.float32) * 2.0
        tape.gradient(y, k)
        """,
        "integer-dtype",
        [
            (2, "tf.Variable([1, 2])", "made here"),
            (4, "tf.cast(k, tf.float32)", "used here"),
            (5, "tape.gradient(y, k)", "asked here"),
        ],
        {"k": "int32 (2,)"},
    ),
    "a cast to int": (
        """
        bias = tf.Variable([1.5, 2.5])
        with tf.GradientTape() as tape:
            codes = tf.cast(bias, tf.int32)
            y = tf.reduce_sum(tf.cast(codes, tf.float32))
        tape.gradient(y, bias)
        """,
        "integer-dtype",
        [(4, "tf.cast(bias, tf.int32)", "cut here"), (6, "tape.gradient(y, bias)", "asked here")],
        {"bias": "float32 (2,)"},
    ),
    "a comparison": (
        """
        w = tf.Variable([0.2, 0.7])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.cast(w > 0.5, tf.float32))
        tape.gradient(y, w)
        """,
        "non-differentiable-op",
        [(4, "w > 0.5", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "a discrete sample": (
        """
        logits = tf.Variable([[0.1, 0.2]])
        with tf.GradientTape() as tape:
            picks = tf.random.categorical(logits, 4)
            y = tf.reduce_mean(tf.gather(tf.constant([1.0, 2.0]), picks[0]))
        tape.gradient(y, logits)
        """,
        "discrete-sampling",
        [(4, "tf.random.categorical(logits, 4)", "cut here"), (6, "tape.gradient(y, logits)", "asked here")],
        {"logits": "float32 (1, 2)"},
    ),
    "stop_gradient": (
        """
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            y = tf.stop_gradient(w * 2.0) + 1.0
        tape.gradient(y, w)
        """,
        "stop-gradient-misplaced",
        [(4, "tf.stop_gradient(w * 2.0)", "cut here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 ()"},
    ),
    ".numpy()": (
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.clip((w * 2.0).numpy(), 0.0, 0.5))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "(w * 2.0).numpy()", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "a function of NumPy's": (
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(np.mean(w, axis=0) * tf.constant(2.0))
        tape.gradient(y, w)
        """,
        "numpy-conversion",
        [(4, "np.mean(w, axis=0)", "left here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "wrapped in a Variable": (
        """
        w = tf.Variable([0.2, 0.4])
        with tf.GradientTape() as tape:
            v = tf.Variable(w * 2.0)
            y = tf.reduce_sum(v)
        tape.gradient(y, w)
        """,
        "variable-rewrap",
        [(4, "tf.Variable(w * 2.0)", "cut here"), (6, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
    "through an assignment": (
        """
        w, state = tf.Variable(0.2), tf.Variable(0.0)
        with tf.GradientTape() as tape:
            state.assign(w * 2.0)
            y = state * 3.0
        tape.gradient(y, w)
        """,
        "variable-assigned-in-tape",
        [(4, "state.assign(w * 2.0)", "cut here"), (6, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 ()"},
    ),
    "while recording was stopped": (
        """
        w = tf.Variable(0.2)
        with tf.GradientTape() as tape:
            with tape.stop_recording():
                v = w * 2.0
            y = v * 3.0
        tape.gradient(y, w)
        """,
        "computed-outside-tape",
        [(5, "w * 2.0", "computed here"), (4, "tape.stop_recording()", "stopped here"), (7, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 ()"},
    ),
    "before the tape was reset": (
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
            (5, "tape.reset()", "forgotten here"),
            (6, "tape.gradient(y, w)", "asked here"),
        ],
        {"w": "float32 ()"},
    ),
    "trainable=False": (
        """
        w = tf.Variable([0.2], trainable=False)
        with tf.GradientTape() as tape:
            y = w * 2.0
        tape.gradient(y, w)
        """,
        "recording-switched-off",
        [(2, "tf.Variable([0.2], trainable=False)", "made here"), (5, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (1,)"},
    ),
    "watch_accessed_variables=False": (
        """
        w = tf.Variable([0.2])
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = w * 2.0
        tape.gradient(y, w)
        """,
        "recording-switched-off",
        [
            (3, "tf.GradientTape(watch_accessed_variables=False)", "switched off here"),
            (4, "w * 2.0", "read here"),
            (5, "tape.gradient(y, w)", "asked here"),
        ],
        {"w": "float32 (1,)"},
    ),
    "unused": (
        """
        a, b = tf.Variable(1.0), tf.Variable([[2.0]])
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [a, b])
        """,
        "source-unused",
        [(2, "tf.Variable([[2.0]])", "made here"), (5, "tape.gradient(y, [a, b])", "asked here")],
        {"b": "float32 (1, 1)"},
    ),
    "a branch not taken": (
        """
        a, b, late = tf.Variable(1.0), tf.Variable(2.0), False
        with tf.GradientTape() as tape:
            y = a * 2.0
            if late:
                y = y * b
        tape.gradient(y, [a, b])
        """,
        "branch-not-taken",
        [(5, "late", "decided here"), (6, "b", "not reached"), (7, "tape.gradient(y, [a, b])", "asked here")],
        {"b": "float32 ()"},
    ),
    "another list of variables": (
        """
        a, b = tf.Variable(1.0, name="online"), tf.Variable(2.0, name="frozen")
        with tf.GradientTape() as tape:
            y = a * 2.0
        tape.gradient(y, [b])
        """,
        "wrong-variable-list",
        [(5, "tape.gradient(y, [b])", "asked here"), (5, "tape.gradient(y, [b])", "asked here")],
        {"b": "float32 ()"},
    ),
    "a slice": (
        """
        x = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            head = x[:2]
            y = tf.reduce_sum(x)
        tape.gradient(y, head)
        """,
        "source-is-a-copy",
        [
            (4, "x[:2]", "made here"),
            (5, "tf.reduce_sum(x)", "target made here"),
            (6, "tape.gradient(y, head)", "asked here"),
        ],
        {"head": "float32 (2,)"},
    ),
    "a derivative outside": (
        """
        x = tf.Variable(1.5)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x ** 3
        slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
        "derivative-not-recorded",
        [(6, "inner.gradient(y, x)", "differentiated here"), (7, "outer.gradient(slope, x)", "asked here")],
        {"x": "float32 ()"},
    ),
    "a custom gradient without return": (
        """
        @tf.custom_gradient
        def f(x):
            def grad(upstream):
                upstream * 2.0
            return x * 2.0, grad
        x = tf.Variable(1.5)
        with tf.GradientTape() as tape:
            y = f(x)
        tape.gradient(y, x)
        """,
        "custom-gradient-wrong-count",
        [(5, "upstream * 2.0", "returned here"), (10, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 ()"},
    ),
    "numpy_function": (
        """
        x = tf.Variable([1.5])
        with tf.GradientTape() as tape:
            y = tf.numpy_function(np.cbrt, [x], tf.float32)
        tape.gradient(y, x)
        """,
        "python-callback-opaque",
        [(4, "tf.numpy_function(np.cbrt, [x], tf.float32)", "cut here"), (5, "tape.gradient(y, x)", "asked here")],
        {"x": "float32 (1,)"},
    ),
    "rebound by an update": (
        """
        w = tf.Variable([1.0, 2.0])
        for step in range(2):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w ** 2)
            g = tape.gradient(loss, w)
            w = w if g is None else w - 0.1 * g
        """,
        "variable-overwritten-by-tensor",
        [(7, "w - 0.1 * g", "rebound here"), (6, "tape.gradient(loss, w)", "asked here")],
        {"w": "float32 (2,)"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    text, kind, sites, shapes = CASES[name]
    (cause,) = traced(text, tmp_path, np=np)
    assert told(cause) == (kind, sites, shapes)
    assert cause.symptom == "none"
    assert cause.help
    assert all(f"`{each}`" in cause.sentence for each in shapes)


# A tape alone knows less than a trace: nothing of what happened before it.
NEED_A_TRACE = {"rebound by an update", "a derivative outside", "while recording was stopped"}


@pytest.mark.parametrize("name", [name for name in CASES if name not in NEED_A_TRACE])
def test_a_warning_says_the_same_without_a_trace(name, tmp_path):
    text, kind, _, shapes = CASES[name]
    (cause,) = warned(text, tmp_path, np=np)
    assert (cause.kind, cause.shapes) == (kind, shapes)
    assert cause.sites[-1].text.split(".")[1].startswith("gradient(")


def test_the_users_own_words(tmp_path):
    (cause,) = traced(
        """
        class Model:
            def __init__(self):
                self.kernel = tf.Variable([1.0])
                self.bias = tf.Variable([0.5])
        model = Model()
        with tf.GradientTape() as tape:
            loss = model.kernel * 2.0
        tape.gradient(loss, [model.kernel, model.bias])
        """,
        tmp_path,
    )
    assert cause.sentence == (
        "the gradient of `loss` with respect to `model.bias` is None: `loss` does not depend on it; `loss` depends on "
        "`model.kernel`"
    )
    assert (cause.site.line, cause.site.column, cause.site.text) == (5, 20, "tf.Variable([0.5])")


def test_an_update_is_repaired_in_the_users_words(tmp_path):
    (cause,) = traced(CASES["rebound by an update"][0], tmp_path)
    assert cause.help == "keep the Variable and change its value: w.assign_sub(0.1 * g)"


def test_what_is_only_inferred_is_called_likely():
    from tests.why.asked import run
    from whygrad.why.evidence.trace import tracing

    with tracing() as trace:  # without source, that what left is what came back can only be guessed
        run(CASES[".numpy()"][0], np=np)
    assert [(cause.kind, cause.likely, cause.site.line) for cause in trace.findings] == [("numpy-conversion", True, 4)]


def test_logging_is_no_cause(tmp_path):
    (cause,) = traced(
        """
        w, b = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            wanted = b * 3.0
            print("wanted", float(wanted), wanted.numpy())
            loss = w * 2.0
        tape.gradient(loss, [w, b])
        """,
        tmp_path,
    )
    assert cause.kind == "source-unused"


def test_a_stop_among_rounding_is_the_misplaced_one(tmp_path):
    (cause,) = traced(
        """
        z = tf.Variable([0.3, 0.8])
        with tf.GradientTape() as tape:
            hard = tf.round(z)
            y = tf.reduce_sum(hard + tf.stop_gradient(z - hard))
        tape.gradient(y, z)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line) == ("stop-gradient-misplaced", 5)


def test_frozen_weights_made_before_the_tape_are_no_cause(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([0.3, 0.8])
        frozen = tf.constant(w.numpy())
        with tf.GradientTape() as tape:
            y = tf.reduce_sum((frozen - tf.stop_gradient(w)) ** 2)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert (cause.kind, cause.site.line) == ("stop-gradient-misplaced", 5)


def test_zero_for_unconnected_is_silent(tmp_path):
    text = CASES["unused"][0].replace("[a, b])", '[a, b], unconnected_gradients="zero")')
    assert traced(text, tmp_path) == []
    assert warned(text, tmp_path) == []


def test_a_long_program_is_not_remembered_for_ever(monkeypatch):
    import whygrad as tf
    from whygrad.why.evidence import trace as tracing_module

    monkeypatch.setattr(tracing_module, "_MOST_EVENTS", 50)
    with tracing_module.tracing() as trace:
        w = tf.Variable([1.0, 2.0])
        frozen = tf.Variable([1.0, 2.0], trainable=False)
        for _ in range(200):
            w.assign_add([0.5, 0.5])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * frozen)
        tape.gradient(loss, [w, frozen])
    assert len(trace.events) <= 60
    assert len(trace.values_of(w)) <= 60
    (cause,) = trace.findings
    assert (cause.kind, cause.sites[0].text) == ("recording-switched-off", "tf.Variable([1.0, 2.0], trainable=False)")


def test_what_another_thread_computed(tmp_path):
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
    assert told(cause)[:2] == (
        "computed-outside-tape",
        [(5, "w * 2.0", "computed here"), (9, "tape.gradient(y, w)", "asked here")],
    )
    assert "was computed in another thread, which the tape does not record" in cause.sentence
    assert "in the thread that opened the tape" in cause.help


def test_what_the_target_does_depend_on_is_named(tmp_path):
    (cause,) = traced(
        """
        layer = {"kernel": tf.Variable(1.0), "bias": tf.Variable(2.0)}
        with tf.GradientTape() as tape:
            y = layer["kernel"] * 2.0
        tape.gradient(y, list(layer.values()))
        """,
        tmp_path,
    )
    assert cause.sentence.endswith("`y` does not depend on it; `y` depends on `layer['kernel']`")


def test_a_branch_that_the_source_itself_decided(tmp_path):
    text = """
        w = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            if w > 2.0:
                loss = tf.constant(1.0)
            else:
                loss = w * 2.0
        tape.gradient(loss, w)
        """
    for (cause,) in (traced(text, tmp_path), warned(text, tmp_path)):
        assert told(cause)[:2] == (
            "branch-not-taken",
            [(4, "w > 2.0", "decided here"), (7, "w", "not reached"), (8, "tape.gradient(loss, w)", "asked here")],
        )
        assert "only in a branch that was not taken, and in deciding which one is" in cause.sentence


def test_which_of_two_branches_made_the_target_is_not_guessed(tmp_path):
    (cause,) = traced(
        """
        w, other, flag = tf.Variable(3.0), tf.Variable(1.0), True
        with tf.GradientTape() as tape:
            half = w / 2.0
            if flag:
                loss = other * 2.0
            else:
                loss = other * 3.0
        tape.gradient(loss, w)
        """,
        tmp_path,
    )
    assert cause.kind == "source-unused"
    assert [(site.line, site.role) for site in cause.sites] == [
        (4, "not used further"),
        (2, "made here"),
        (9, "asked here"),
    ]


def test_an_op_is_called_what_the_program_calls_it(tmp_path):
    (cause,) = traced(
        """
        w = tf.Variable([3.0, 1.0])
        with tf.GradientTape() as tape:
            y = tf.cast(tf.argsort(w), tf.float32)
        tape.gradient(y, w)
        """,
        tmp_path,
    )
    assert "argsort cuts the path" in cause.sentence
