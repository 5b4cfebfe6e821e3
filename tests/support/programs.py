"""Small programs run with and without tracing, and the causes that whygrad finds in them."""

import linecache
import textwrap
import warnings

import numpy as np
import pytest

import whygrad as tf
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.trace import tracing


def run(text, path=None, **names):
    """Run a program in a namespace with `tf`; `path` makes it a file with source, else it has none."""
    source = textwrap.dedent(text)
    file = "<nowhere>" if path is None else str(path)
    if path is not None:
        path.write_text(source, encoding="utf-8")
        linecache.checkcache(file)
    namespace = {"tf": tf, **names}
    exec(compile(source, file, "exec"), namespace)
    return namespace


def traced(text, folder, **names):
    """The findings of a program under tracing."""
    with tracing() as trace:
        run(text, folder / "program.py", **names)
    return trace.findings


def warned(text, folder, **names):
    """The causes of the warnings of a program that runs without a trace."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run(text, folder / "program.py", **names)
    return [cause for each in caught for cause in each.message.causes]


def cause_of_warning(ask):
    """The cause of the one warning of `ask`, a call of `gradient` that gives None."""
    with pytest.warns(tf.NoGradientWarning) as caught:
        assert ask() is None
    (cause,) = caught[0].message.causes
    return cause


def raised(text, folder, **names):
    """The causes of the exception that a program ends with."""
    try:
        run(text, folder / "program.py", **names)
    except Exception as error:
        return causes_of(error)
    raise AssertionError("nothing was raised")


def refused_by_the_compiler(body, folder, arguments="x", call="tf.constant([1.0, 2.0])"):
    """The cause of what a function with this body raises when it is compiled as written; the body begins at line 3."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    (cause,) = raised(
        f"@tf.function(jit_compile=True, autograph=False)\ndef f({arguments}):\n{lines}\nf({call})\n", folder, np=np
    )
    return cause


def facts_of(cause):
    """The facts of a cause that tests compare: kind, sites (line, text and role) and shapes."""
    return cause.kind, [(site.line, site.text, site.role) for site in cause.sites], cause.shapes


def assert_explanation(cause, symptom, kind, sites, shapes, pieces):
    """A cause has this symptom, kind, sites and shapes, and its sentence and help contain these pieces."""
    assert facts_of(cause) == (kind, sites, shapes)
    text = f"{cause.sentence} {cause.help}"
    assert [piece for piece in pieces if piece not in text] == [], text
    assert cause.symptom == symptom
