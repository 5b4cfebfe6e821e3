"""What is said of functions that cannot be compiled, are compiled too often, or give inf and nan: kinds, lines, texts, shapes."""

import traceback
import warnings

import numpy as np
import pytest

import whygrad as tf
from tests.why.asked import raised, run, told, warned
from whygrad.view import notice


@pytest.fixture(autouse=True)
def _strict(monkeypatch):
    """An explanation that fails is a failure."""
    monkeypatch.setattr(notice, "strict", True)


def _refused(body, folder, arguments="x", call="tf.constant([1.0, 2.0])"):
    """The cause of what a function with this body raises when it is compiled; the body begins at line 3."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (cause,) = raised(f"@tf.function\ndef f({arguments}):\n{lines}\nf({call})\n", folder, np=np)
    return cause


# -- values that are not there --


@pytest.mark.parametrize(
    ("body", "line", "text", "asked", "help"),
    [
        (
            "if x[0] > 0:\n    return x\nreturn -x",
            3,
            "x[0] > 0",
            "`if` cannot decide by it",
            "return tf.cond(x[0] > 0, lambda: x, lambda: -x)",
        ),
        (
            "y = x\nif tf.reduce_sum(x) > 0:\n    y = x * 2\nelse:\n    y = x * 3\nreturn y",
            4,
            "tf.reduce_sum(x) > 0",
            "`if` cannot decide by it",
            "tf.where(tf.reduce_sum(x) > 0, x * 2, x * 3)",
        ),
        (
            "return x if x[0] > 0 and not x[1] > 5 else -x",
            3,
            "x[0] > 0",
            "`if` cannot decide by it",
            "tf.cond(tf.logical_and(x[0] > 0, tf.logical_not(x[1] > 5)), lambda: x, lambda: -x)",
        ),
        (
            "n = 0\nwhile tf.reduce_sum(x) < 100:\n    x = x * 2\n    n = n + 1\nreturn x",
            4,
            "tf.reduce_sum(x) < 100",
            "`while` cannot repeat by it",
            "tf.while_loop(lambda x, n: tf.reduce_sum(x) < 100, lambda x, n: (...), (x, n))",
        ),
        (
            "assert 0 < x[0] < 3\nreturn x",
            3,
            "0 < x[0] < 3",
            "`assert` cannot decide by it",
            "tf.debugging.Assert(tf.logical_and(0 < x[0], x[0] < 3), [...])",
        ),
        (
            "if x[0] > 3:\n    y = 1.0\nelif x[0] > 2:\n    y = 2.0\nelse:\n    y = 3.0\nreturn y",
            3,
            "x[0] > 3",
            "`if` cannot decide by it",
            "tf.case([(x[0] > 3, lambda: ...), (x[0] > 2, lambda: ...)], default=lambda: ...)",
        ),
        (
            "return tf.cond(x[0] > 0, lambda: x if x[1] > 0 else -x, lambda: x)",
            3,
            "x[1] > 0",
            "`if` cannot decide by it",
            "tf.cond(x[1] > 0, lambda: x, lambda: -x)",
        ),
        ("return max(x[0], x[1])", 3, "max(x[0], x[1])", "Python's function cannot", "write tf.maximum(x[0], x[1])"),
        ("return all(x > 0)", 3, "all(x > 0)", "Python's function cannot", "write tf.reduce_all(x > 0)"),
        (
            "z = x[0] > 0 or x[1] > 0\nreturn z",
            3,
            "x[0] > 0 or x[1] > 0",
            "`and` or `or` cannot decide by it",
            "write tf.logical_or(x[0] > 0, x[1] > 0), which is a tensor itself",
        ),
        (
            "return [y for y in (x, -x) if y[0] > 0]",
            3,
            "y[0] > 0",
            "`if` cannot decide by it",
            "tf.where(y[0] > 0, x, 0.0)",
        ),
        ("return 1.0 if 2.0 in x else 0.0", 3, "2.0 in x", "`if` cannot decide by it", "tf.reduce_any(x == 2.0)"),
    ],
)
def test_python_that_branches_on_a_tensor(body, line, text, asked, help, tmp_path):
    cause = _refused(body, tmp_path)
    assert cause.kind == "python-branch-on-symbolic"
    assert [(site.line, site.text, site.role, site.note) for site in cause.sites] == [
        (line, text, "failed here", "bool ()")
    ]
    assert asked in cause.sentence
    assert "while `f` is being compiled" in cause.sentence
    assert help in cause.help


def test_a_switch_that_was_given_as_a_tensor(tmp_path):
    body = "if training:\n    x = x * 2.0\nreturn x"
    cause = _refused(body, tmp_path, "x, training", "tf.ones(2), tf.constant(True)")
    assert told(cause) == ("python-branch-on-symbolic", [(3, "training", "failed here")], {"training": "bool ()"})
    assert cause.help.startswith(
        "pass `training` as Python's True or False, for each of which `f` is compiled once; or "
    )


@pytest.mark.parametrize(
    ("body", "text", "shape", "name", "help"),
    [
        ("return x * x.numpy()", "x.numpy()", "(2,)", "x", "leave out .numpy(), as ops take x itself"),
        ("return float(x[0])", "float(x[0])", "()", "x[0]", "leave out float(), as ops take x[0] itself"),
        ("return int(tf.shape(x)[0] * n)", "int(tf.shape(x)[0] * n)", "()", "tf.shape(x)[0] * n", "tf.cast("),
        ("return np.sin(x)", "np.sin(x)", "(2,)", "x", "tf.sin or tf.experimental.numpy.sin"),
        ("return np.mean(x)", "np.mean(x)", "(2,)", "x", "write tf.reduce_mean(x)"),
        ("return np.dot(x, x)", "np.dot(x, x)", "(2,)", "x", "function, tf.experimental.numpy.dot"),
        ("return np.array([x, -x])", "np.array([x, -x])", "(2,)", "[x, -x]", "write tf.stack([x, -x])"),
        ("return np.asarray(x)", "np.asarray(x)", "(2,)", "x", "leave out np.asarray()"),
        ("return round(x[0])", "round(x[0])", "()", "x[0]", "write tf.round(x[0])"),
        ("return sum(i for i in range(n))", "range(n)", "()", "n", "pass `n` as a Python number"),
        ("return [1.0, 2.0][n]", "[1.0, 2.0][n]", "()", "n", "tf.gather([1.0, 2.0], n)"),
        ("y = x[0]\nprint(f'{y:.2f}')\nreturn y", "f'{y:.2f}'", "()", "y", "tf.print(y)"),
        ("print('x is', x.numpy())\nreturn x", "x.numpy()", "(2,)", "x", "tf.print(x) prints the value each time"),
    ],
)
def test_python_that_needs_a_value(body, text, shape, name, help, tmp_path):
    cause = _refused(body, tmp_path, "x, n", "tf.constant([1.0, 2.0]), tf.constant(3)")
    assert cause.kind == "value-needed-while-compiling"
    (place,) = cause.sites
    assert (place.line, place.text, place.role) == (4 if "\nprint" in body else 3, text, "failed here")
    assert place.note.endswith(shape)
    assert cause.sentence.startswith(f"`{name}` has no value while `f` is being compiled")
    assert help in cause.help


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("x.numpy()", AttributeError),
        ("float(x[0])", TypeError),
        ("int(x[0])", TypeError),
        ("complex(x[0])", TypeError),
        ("range(x[0])", TypeError),
        ("round(x[0])", TypeError),
        ("f'{x[0]:.1f}'", TypeError),
        ("np.sin(x)", NotImplementedError),
        ("bool(x[0])", tf.errors.OperatorNotAllowedInGraphError),
        ("not x[0]", tf.errors.OperatorNotAllowedInGraphError),
    ],
)
def test_the_classes_are_those_of_tensorflow(expression, error, tmp_path):
    with pytest.raises(error, match="it has no value yet"):
        run(f"tf.function(lambda x: {expression})(tf.ones(2))", tmp_path / "program.py", np=np)


def test_a_tensor_without_a_value_can_be_shown():
    shown = []
    tf.function(lambda x: shown.append(f"{x} {x!r}") or x)(tf.ones(2))
    assert shown == ["Tensor(shape=(2,), dtype=float32) <tf.Tensor: shape=(2,), dtype=float32, symbolic>"]


# -- shapes --


@pytest.mark.parametrize(
    ("body", "text", "shapes", "decided", "help"),
    [
        (
            "return tf.boolean_mask(x, x > 1)",
            "tf.boolean_mask(x, x > 1)",
            {"x": "float32 (2,)", "x > 1": "bool (2,)"},
            "`x > 1`",
            "tf.where(x > 1, x, 0.0)",
        ),
        (
            "return x[x > 1]",
            "x[x > 1]",
            {"x": "float32 (2,)", "x > 1": "bool (2,)"},
            "`x > 1`",
            "tf.where(x > 1, x, 0.0)",
        ),
        ("return tf.where(x > 1)", "tf.where(x > 1)", {"x > 1": "bool (2,)"}, "`x > 1`", "tf.where(x > 1, a, b)"),
        ("return tf.unique(x)[0]", "tf.unique(x)", {"x": "float32 (2,)"}, "`x`", "find them outside of the function"),
        ("return tf.zeros([n, 2])", "tf.zeros([n, 2])", {"n": "int32 ()"}, "`n`", "pass `n` as a Python number"),
        (
            "return tf.reshape(x, [n, -1])",
            "tf.reshape(x, [n, -1])",
            {"x": "float32 (2,)", "n": "int32 ()"},
            "`n`",
            "pass `n` as a Python number",
        ),
        ("return tf.fill([n], 1.0)", "tf.fill([n], 1.0)", {"n": "int32 ()"}, "`n`", "pass `n` as a Python number"),
    ],
)
def test_a_shape_that_depends_on_values(body, text, shapes, decided, help, tmp_path):
    cause = _refused(body, tmp_path, "x, n", "tf.constant([1.0, 2.0]), tf.constant(3)")
    assert told(cause) == ("shape-depends-on-values", [(3, text, "failed here")], shapes)
    assert f"is decided by the values of {decided}," in cause.sentence
    assert help in cause.help


def test_a_range_to_a_tensor(tmp_path):
    cause = _refused("return tf.range(n)", tmp_path, "n", "tf.constant(3)")
    assert cause.kind == "shape-depends-on-values"
    assert (cause.site.line, cause.site.text) == (3, "tf.range(n)")
    assert cause.help == (
        "pass `n` as a Python number, for each of which `f` is compiled once; or take a number that is known, and a mask: "
        "tf.range(most) < n"
    )


def test_an_axis_that_is_a_tensor(tmp_path):
    cause = _refused("return tf.concat([x, x], axis=n)", tmp_path, "x, n", "tf.ones(2), tf.constant(0)")
    assert (cause.kind, cause.site.line) == ("value-needed-while-compiling", 3)
    assert cause.sentence.startswith("`n` says which axis")


def test_an_argument_that_is_no_size_is_not_said_to_be_one(tmp_path):
    cause = _refused("return tf.linalg.band_part(x, n, 0)", tmp_path, "x, n", "tf.ones([2, 2]), tf.constant(0)")
    assert told(cause) == (
        "value-needed-while-compiling",
        [(3, "tf.linalg.band_part(x, n, 0)", "failed here")],
        {"x": "float32 (2, 2)", "n": "int32 ()"},
    )
    assert cause.help == "pass `n` as a Python number, for each of which `f` is compiled once"


@pytest.mark.parametrize(
    ("call", "help"),
    [
        ("tf.math.bincount(x)", "give `minlength` and `maxlength`, both the number of bins"),
        ("tf.math.segment_sum(x, x)", "use tf.math.unsorted_segment_sum and its kin, which take num_segments"),
    ],
)
def test_what_the_op_itself_advises_is_the_help(call, help, tmp_path):
    cause = _refused(f"return {call}", tmp_path, "x", "tf.constant([0, 1])")
    assert told(cause)[:2] == ("shape-depends-on-values", [(3, call, "failed here")])
    assert cause.help == help


# -- without a source --


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (
            "def f(x):\n    if x > 0:\n        return x\n    return -x\ntf.function(f)(tf.ones([]))",
            "python-branch-on-symbolic",
        ),
        ("tf.function(lambda x: x.numpy())(tf.ones(2))", "value-needed-while-compiling"),
        ("tf.function(lambda x: tf.boolean_mask(x, x > 0))(tf.ones(2))", "shape-depends-on-values"),
        (
            "class C:\n    def __call__(self, x):\n        return float(x)\ntf.function(C())(tf.ones([]))",
            "value-needed-while-compiling",
        ),
    ],
)
def test_the_kind_is_known_without_a_source(program, kind):
    with pytest.raises(Exception, match="compiled") as caught:
        run(program)
    (cause,) = caught.value.causes
    assert cause.kind == kind
    assert cause.site.line > 0


# -- the traceback --


def test_the_traceback_has_the_users_lines_and_no_frames_of_jax(tmp_path):
    program = "@tf.function\ndef f(x):\n    return g(x)\ndef g(x):\n    return tf.matmul(x, x)\nf(tf.ones(3))\n"
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        run(program, tmp_path / "program.py")
    shown = traceback.format_exception(caught.value)
    frames = [(each.filename, each.lineno) for each in traceback.extract_tb(caught.value.__traceback__)]
    assert [line for file, line in frames if file == str(tmp_path / "program.py")] == [6, 3, 5]
    assert not [file for file, _ in frames if "/jax/" in file]
    assert caught.value.__cause__ is None
    assert "During handling of" not in "".join(shown)
    inside = [file.rsplit("/", 1)[-1] for file, _ in frames]
    assert inside.count("function.py") == 1  # of what compiles, one frame stands between the call and the function
    assert "specialized.py" not in inside
    assert "tracing.py" not in inside


_SAME_AS_PYTHON = {
    "matmul": "return tf.matmul(x, x)",
    "broadcast": "y = tf.ones([5])\nreturn x + y",
    "reshape": "return tf.reshape(x, [5, 2])",
    "concat": "return tf.concat([x, tf.ones([2, 3])], 0)",
    "axis": "return tf.reduce_sum(x, axis=3)",
    "dtype": "return x + tf.cast(x, tf.float64)",
    "transpose": "return tf.transpose(x, [0, 2])",
    "stack": "return tf.stack([x, x[0]])",
    "split": "return tf.split(x, 5)",
    "einsum": "return tf.einsum('ij,jk->ik', x, x)",
    "convolution": "return tf.nn.conv2d(x, v, 1, 'SAME')",
    "assign": "v.assign(x)\nreturn x",
    "in a branch": "return tf.cond(x[0, 0] > 0, lambda: tf.matmul(x, x), lambda: x)",
    "in a loop": "return tf.map_fn(lambda row: row + tf.ones([3]), x)",
    "upstream": "with tf.GradientTape() as tape:\n    y = v * 2.0\nreturn tape.gradient(y, v, output_gradients=x)",
    "used twice": "with tf.GradientTape() as tape:\n    y = v * 2.0\ntape.gradient(y, v)\nreturn tape.gradient(y, v)",
    "custom gradient": (
        "@tf.custom_gradient\ndef square(a):\n    return a * a, lambda g: tf.reduce_sum(g)\n"
        "with tf.GradientTape() as tape:\n    y = square(v)\nreturn tape.gradient(y, v)"
    ),
    "item": "x[0] = 1.0\nreturn x",
}


@pytest.mark.parametrize("name", _SAME_AS_PYTHON)
def test_errors_are_explained_as_in_plain_python(name, tmp_path):
    found = []
    for decorator in ("@tf.function\n", "@(lambda f: f)\n"):
        body = "\n".join(f"    {line}" for line in _SAME_AS_PYTHON[name].splitlines())
        program = f"v = tf.Variable(tf.ones([4, 2]))\n{decorator}def f(x):\n{body}\nf(tf.ones([3, 4]))\n"
        (cause,) = raised(program, tmp_path)
        found.append((told(cause), cause.sentence, cause.help))
    assert found[0] == found[1]


_NONE_AS_IN_PYTHON = {
    "source-unused": "y = tf.reduce_sum(v)\ng = {}, [v, k]",
    "source-not-watched": "y = x * x\ng = {}, x",
    "integer-dtype": "y = tf.cast(tf.cast(k, tf.int32), tf.float32) * 2.0\ng = {}, k",
    "non-differentiable-op": "y = tf.cast(tf.argmax(v, 0), tf.float32)\ng = {}, v",
    "stop-gradient-misplaced": "y = tf.stop_gradient(v) * 2.0\ng = {}, v",
    "variable-not-tracked": "y = v * 2.0\ng = {}, []",
    "silent-broadcast": "y = tf.reduce_mean((v[:, :1] - x[0]) ** 2)\ng = {}, v",
}


@pytest.mark.parametrize("kind", _NONE_AS_IN_PYTHON)
def test_gradients_inside_are_explained_as_in_plain_python(kind, tmp_path):
    forward, asked = _NONE_AS_IN_PYTHON[kind].split("\n")
    asked = asked.replace("{}", "tape.gradient(y") + ")"
    found = []
    for decorator in ("@tf.function", "@(lambda f: f)"):
        program = (
            "v, k = tf.Variable(tf.ones([4, 2])), tf.Variable(2.0)\n"
            f"{decorator}\ndef f(x):\n    with tf.GradientTape() as tape:\n        {forward}\n    {asked}\n    return y\n"
            "f(tf.ones([3, 4]))\n"
        )
        (cause,) = warned(program, tmp_path)
        found.append((told(cause), cause.sentence, cause.help))
        assert cause.kind == kind
        assert (cause.sites[-1].line, cause.sites[-1].text) == (6, asked.removeprefix("g = "))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        ("return tf.cast(tf.cast(x, tf.int32), tf.float32)", "integer-dtype", "tf.cast(x, tf.int32)"),
        ("return tf.stop_gradient(x) * 2.0", "stop-gradient-misplaced", "tf.stop_gradient(x)"),
        ("return tf.cast(tf.argmax(x), tf.float32)", "non-differentiable-op", "tf.argmax(x)"),
        (
            "return tf.while_loop(lambda a: a[0] < 9.0, lambda a: (a * 2.0,), (x,))[0]",
            "non-differentiable-op",
            "tf.while_loop(lambda a: a[0] < 9.0, lambda a: (a * 2.0,), (x,))",
        ),
    ],
)
def test_a_none_through_a_compiled_call_is_explained_inside(body, kind, text, tmp_path):
    program = f"""
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    @tf.function
    def f(x):
        {body}
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(v * 2.0) + w)
    tape.gradient(y, [w, v])
    """
    (cause,) = warned(program, tmp_path)
    assert told(cause) == (
        kind,
        [(5, text, "cut here"), (8, "tape.gradient(y, [w, v])", "asked here")],
        {"v": "float32 (2,)"},
    )
    assert cause.sentence.startswith("the gradient of `y` with respect to `v` is None: ")


def test_an_argument_that_a_result_of_a_compiled_call_does_not_depend_on(tmp_path):
    program = """
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    @tf.function
    def f(x, z):
        return x * 2.0
    with tf.GradientTape() as tape:
        y = f(v * 1.0, w * 1.0)
    tape.gradient(y, w)
    """
    (cause,) = warned(program, tmp_path)
    assert told(cause) == (
        "source-unused",
        [(7, "f(v * 1.0, w * 1.0)", "called here"), (8, "tape.gradient(y, w)", "asked here")],
        {"w": "float32 (2,)"},
    )


# -- what outlives a trace --


def test_a_leaked_tensor(tmp_path):
    program = """
    kept = []
    @tf.function
    def f(x):
        kept.append(x * 2.0)
        return x
    f(tf.ones(3))
    kept[0] + 1.0
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.SideEffectWarning)
        (cause,) = raised(program, tmp_path)
    assert told(cause) == (
        "leaked-tensor",
        [(8, "kept[0] + 1.0", "used here"), (5, "x * 2.0", "made here")],
        {"kept[0]": "float32 (3,)"},
    )
    assert cause.sentence.startswith("`kept[0]` was made inside `f` while that was being compiled")
    assert cause.help.startswith("return it from `f`")


@pytest.mark.parametrize(
    "use", ["h.numpy()", "float(h[0])", "bool(h)", "tf.function(lambda: h * 2.0)()", "print(h + h)"]
)
def test_every_use_of_a_leaked_tensor_says_so(use, tmp_path):
    program = f"def f(x):\n    global h\n    h = x * 2.0\n    return x\ntf.function(f)(tf.ones(3))\n{use}\n"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tf.SideEffectWarning)
        (cause,) = raised(program, tmp_path)
    assert cause.kind == "leaked-tensor"
    assert cause.site.line == 6
    assert (cause.sites[1].line, cause.sites[1].text) == (3, "x * 2.0")
    assert cause.shapes == {"h": "float32 (3,)"}


@pytest.mark.parametrize(
    ("store", "kept", "text"),
    [
        ("history.append(y)", "history[0]", "history.append(y)"),
        ("cache['y'] = [y]", "cache['y'][0]", "cache['y']"),
        ("self.last = y", "self.last", "self.last"),
        ("self.parts['y'] = y", "self.parts['y']", "self.parts['y']"),
    ],
)
def test_a_tensor_that_python_keeps_is_a_warning(store, kept, text, tmp_path):
    program = f"""
    history, cache = [], {{}}
    class Model:
        def __init__(self):
            self.parts = {{}}
        @tf.function
        def __call__(self, x):
            y = x * 2.0
            {store}
            return y
    model = Model()
    for _ in range(3):
        model(tf.ones(3))
    """
    (cause,) = warned(program, tmp_path)
    assert told(cause) == (
        "python-side-effect",
        [(9, text, "put there here"), (8, "x * 2.0", "made here")],
        {kept: "float32 (3,)"},
    )
    assert cause.symptom == "wrong_value"


def test_what_python_keeps_that_has_a_value_is_no_matter(tmp_path):
    program = """
    seen, count = [], 0
    class Model:
        @tf.function
        def __call__(self, x):
            global count
            count += 1
            seen.append((x.shape, x.dtype, "traced"))
            self.weight = self.weight if hasattr(self, "weight") else tf.Variable(2.0)
            return x * self.weight
    model = Model()
    model(tf.ones(3))
    """
    assert warned(program, tmp_path) == []


# -- traced again and again --


@pytest.mark.parametrize(
    ("setup", "call", "changed", "help"),
    [
        (
            "rate = 0.1",
            "f(x, rate := rate / 2)",
            "as `n` was 0.05, 0.025, 0.0125, 0.00625, ...",
            "pass n as a tensor, tf.constant(n)",
        ),
        (
            "",
            "f(tf.ones([i + 1, 2]), 1)",
            "as `x` had shape (1, 2), (2, 2), (3, 2), (4, 2), ...",
            "pad `x` to one shape",
        ),
        ("", "f(x, lambda: i)", "as `n` was another function each time", "define `n` once"),
        ("", "f(x, object())", "as `n` was another object each time", "make `n` once"),
        ("", "f(x, {'a': [1.0, i]})", "as `n['a'][1]` was 0, 1, 2, 3, ...", "tf.constant(n['a'][1])"),
        ("", "f(x, [x] * (i + 1))", "as `len(n)` was 1, 2, 3, 4, ...", "pass one tensor in the place of `n`"),
        ("", "f(x, str(i))", "as `n` was '0', '1', '2', '3', ...", "few values of `n`"),
    ],
)
def test_a_function_that_is_traced_again_and_again_says_which_argument_changed(setup, call, changed, help, tmp_path):
    program = (
        f"x = tf.ones(2)\n{setup}\n@tf.function\ndef f(x, n):\n    return x * 2.0\nfor i in range(12):\n    {call}\n"
    )
    (cause,) = warned(program, tmp_path)
    assert (cause.kind, cause.symptom) == ("function-retraced", "slow")
    assert cause.sentence.startswith("`f` was traced and compiled anew 5 times in its last calls, ")
    assert cause.sentence.endswith(changed) or changed in cause.sentence
    assert help in cause.help
    assert [(site.line, site.text, site.role) for site in cause.sites] == [
        (7, call, "called here"),
        (4, "def f(x, n):", "defined here"),
    ]


def test_the_retracing_warning_stands_at_the_call(tmp_path):
    path = tmp_path / "program.py"
    with pytest.warns(tf.RetracingWarning) as caught:
        run("@tf.function\ndef f(n):\n    return n\nfor i in range(12):\n    f(i)\n", path)
    (warning,) = caught
    assert (warning.filename, warning.lineno) == (str(path), 5)
    assert issubclass(tf.RetracingWarning, tf.FunctionWarning)
    assert not issubclass(tf.RetracingWarning, tf.GradientWarning)


def test_a_function_made_anew_in_a_loop(tmp_path):
    program = """
    for i in range(8):
        @tf.function
        def f(x):
            return x * 2.0
        f(tf.ones(2))
    """
    (cause,) = warned(program, tmp_path)
    assert cause.kind == "function-retraced"
    assert cause.sentence.startswith("`f` is made anew by tf.function each time, called once")
    assert [(site.line, site.text) for site in cause.sites] == [(6, "f(tf.ones(2))"), (4, "def f(x):")]


@pytest.mark.parametrize(
    "calls",
    [
        "for i in range(40):\n    f(tf.ones(i // 4 + 1))",  # each shape is used for a while
        "for i in range(40):\n    f(tf.ones(i % 4 + 1))",  # few shapes
        "for epoch in range(9):\n    for size in [8, 8, 8, 8, 8, epoch]:\n        f(tf.ones(size))",
        "for i in range(8):\n    g = tf.function(lambda x: x + 1.0)\n    g(tf.ones(2)), g(tf.ones(2))",
    ],
)
def test_a_function_that_is_traced_now_and_then_is_left_alone(calls, tmp_path):
    assert warned(f"f = tf.function(lambda x: x * 2.0)\n{calls}\n", tmp_path) == []


# -- inf and nan --


@pytest.fixture
def checking():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


def test_a_result_that_is_not_finite_is_followed_to_its_birth(checking, tmp_path):
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


def test_a_step_is_replayed_with_the_variables_from_before_and_changes_none(checking, tmp_path):
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


def test_a_replay_draws_the_same_random_numbers(checking):
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


def test_a_function_inside_a_function_is_replayed_too(checking, tmp_path):
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


def test_a_gradient_through_a_compiled_call_is_replayed(checking, tmp_path):
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


def test_a_replay_that_is_clean_says_so(checking, tmp_path):
    program = """
    @tf.function
    def f(x):
        return tf.math.log(x * x)
    f(tf.constant([1e-20]))
    """
    (cause,) = raised(program, tmp_path)
    assert cause.kind == "not-finite-when-compiled"
    assert cause.sentence.endswith("the same call run again op by op is finite: the replay is clean")
    assert (cause.site.line, cause.site.text) == (5, "f(tf.constant([1e-20]))")


def test_what_raises_when_it_is_replayed_is_said(checking, tmp_path):
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


def test_inf_that_does_not_reach_a_result_is_no_matter(checking):
    @tf.function
    def f(x):
        return tf.where(x > 0, tf.math.log(x), 0.0)

    assert f(tf.constant([1.0, 0.0])).numpy().tolist() == [0.0, 0.0]
    assert f.experimental_get_tracing_count() == 1


def test_tapes_do_not_record_a_replay(checking):
    f = tf.function(lambda x: 1.0 / x)
    x = tf.Variable([0.0])
    with tf.GradientTape(persistent=True) as tape:
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(x)
        recorded = len(tape.records)
    assert recorded == 0
