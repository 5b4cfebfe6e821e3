"""Errors while compiling: the kind is known without a source, and the traceback shows the user's lines."""

import traceback

import pytest

import whygrad as tf
from tests.support.programs import run


@pytest.mark.parametrize(
    ("program", "kind"),
    [
        (
            "def f(x):\n    if x > 0:\n        return x\n    return -x\ntf.function(f, autograph=False)(tf.ones([]))",
            "python-branch-on-symbolic",
        ),
        ("tf.function(lambda x: x.numpy())(tf.ones(2))", "value-needed-while-compiling"),
        ("tf.function(lambda x: tf.boolean_mask(x, x > 0))(tf.ones(2))", "shape-depends-on-values"),
        (
            "class C:\n    def __call__(self, x):\n        return float(x)\ntf.function(C(), autograph=False)(tf.ones([]))",
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
