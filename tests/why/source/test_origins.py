"""Which expressions a value was computed from, by the text of the program."""

import ast
import textwrap

import pytest

from whygrad.why.source.origins import Origins
from whygrad.why.source.sites import tree_of
from whygrad.why.source.syntax import Flow

# In each program `leave()` is where a value leaves, and `enter(...)` where one comes in.
REACHES = {
    "by name": "a = leave()\nenter(a * 2)",
    "through a list": "a = []\na.append(leave())\nenter(sum(a))",
    "through an item": "d = {}\nd['k'] = leave()\nenter(d['k'])",
    "through a function": "def f(x):\n    y = g(x)\n    return y\na = leave()\nenter(f(a))",
    "through a method's attribute": "class A:\n    def f(self):\n        self.v = leave()\n    def g(self):\n        enter(self.v)",
    "in one branch": "a = 1\nif c:\n    a = leave()\nenter(a)",
    "carried over by a loop": "a = 1\nfor i in r:\n    enter(a)\n    a = leave()",
    "through a comprehension": "a = leave()\nenter([x + 1 for x in a])",
    "through a lambda": "f = lambda: leave()\nenter(f())",
    "added to": "a = 1\na += leave()\nenter(a)",
}
REACHES_NOT = {
    "assigned anew": "a = leave()\na = 1\nenter(a)",
    "in the other branch": "if c:\n    a = leave()\nelse:\n    a = 2\n    enter(a)",
    "a condition": "a = leave()\nenter(1 if a > 0 else 2)",
    "a comparison": "a = leave()\nenter(a > 2)",
    "a step function": "a = leave()\nenter(np.round(a))",
    "an index": "a = leave()\nenter(b[a])",
    "a shape": "a = leave()\nenter(a.shape[0])",
    "another local": "def f():\n    a = leave()\ndef g(a):\n    enter(a)\ng(1)",
    "assigned anew in each turn": "for i in r:\n    a = 1\n    enter(a)\n    a = leave()",
    "afterwards": "a = 1\nenter(a)\na = leave()",
    "a mean of samples": "a = rng.normal(leave())\nenter(a)",
}


def reaches(program, path):
    path.write_text(textwrap.dedent(program), encoding="utf-8")
    calls = [node for node in ast.walk(tree_of(str(path))) if isinstance(node, ast.Call)]
    named = {node.func.id: node for node in calls if isinstance(node.func, ast.Name)}
    return named["leave"] in Origins(Flow([str(path)]), named["enter"].args[0]).nodes


@pytest.mark.parametrize("name", REACHES)
def test_a_value_is_followed(name, tmp_path):
    assert reaches(REACHES[name], tmp_path / "program.py")


@pytest.mark.parametrize("name", REACHES_NOT)
def test_what_is_no_part_of_the_value_is_not(name, tmp_path):
    assert not reaches(REACHES_NOT[name], tmp_path / "program.py")
