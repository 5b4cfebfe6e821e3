"""Calls and names read off bytecode: the same on every version of Python."""

import ast
import dis

import pytest

from whygrad.why.source.bytecode import call_at, names_stored

# Local names that follow each other, which Python 3.13 and later load and store by one instruction for two.
CALLS = [
    "tape.gradient(loss, w)",
    "tape.gradient(loss, [w, b])",
    "tape.gradient(loss, (w, b), upstream)",
    "ask(loss, w, b, kind='none', count=3)",
    "ask(loss, net.w, net.b.first)",
]


@pytest.mark.parametrize("text", CALLS)
@pytest.mark.parametrize("where", ["function", "module"])
def test_a_call_is_read_off_its_bytecode(text, where):
    if where == "module":
        code = compile(text, "<prompt>", "exec")
    else:
        source = f"def f(tape, ask, loss, w, b, net, upstream):\n    x = loss\n    {text}\n"
        scope = {}
        exec(compile(source, "<prompt>", "exec"), scope)
        code = scope["f"].__code__
    last = [each.offset for each in dis.get_instructions(code) if each.opname in ("CALL", "CALL_KW")][-1]
    assert ast.unparse(call_at(code, last)) == text


def test_every_name_that_is_given_a_value_is_found():
    def f(a, b, c, d, e, g):
        a = b
        b, c = c, b
        d = a + 1
        e, g = d, e

        def inner():
            return g

        return a, b, c, d, e, inner

    assert {"a", "b", "c", "d", "e", "g"} <= names_stored(f.__code__)


def test_a_name_that_is_only_read_is_not_among_them():
    def f(a, b):
        c = a
        return c, b

    assert names_stored(f.__code__) == {"c"}
