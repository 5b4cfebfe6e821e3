"""Exceptions are explained by their faults: every fault has its explanation, and no message is searched."""

import ast
import pathlib

import pytest

import whygrad
from whygrad.values import faults
from whygrad.why.causes import differentiated_function, exceptions, explanation, sparse_gradient_arithmetic

ROOM = pathlib.Path(whygrad.__file__).parent / "why"

# The modules of why/ that use regular expressions, and what they search: never a message of ours.
PATTERNS = {
    "cause.py": "`tf.` in a help, to write the program's own name for the library",
    "causes/discrete_sampling.py": "the user's source",
    "causes/numpy_conversion.py": "the user's source",
    "causes/silent_broadcast.py": "the user's source",
    "causes/unknown_argument.py": "Python's own message about a keyword argument",
    "source/syntax.py": "names in the user's source",
    "source/edits.py": "small numbers in code that is written",
    "source/tensor_functions.py": "`tf.` in a help, to write NumPy's name for the function",
    "source/bytecode.py": "the names of CPython's instructions",
}


def _imports_re(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return "re" in names


def test_no_pattern_is_matched_against_messages():
    found = {str(path.relative_to(ROOM).as_posix()) for path in ROOM.rglob("*.py") if _imports_re(path)}
    assert found == set(PATTERNS)


def test_only_pythons_own_messages_are_searched():
    """`text in str(error)` stands in one place: Python refuses a sparse gradient before any code of ours runs."""
    searched = {
        path.name
        for path in ROOM.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Compare) and any(isinstance(each, ast.In | ast.NotIn) for each in node.ops)
        and any(ast.unparse(side).startswith("str(error)") for side in node.comparators)
    }  # fmt: skip
    assert searched == {pathlib.Path(sparse_gradient_arithmetic.__file__).name}


def _leaves(kind=faults.Fault):
    for each in kind.__subclasses__():
        yield from _leaves(each)
    if not kind.__subclasses__():
        yield kind


# What a gradient function or an op's rule did wrong is explained with the call of gradient that ran it.
OF_RULES = {
    faults.CotangentMisfit,
    faults.GradientCount,
    faults.VariableGradientCount,
    faults.NoRegisteredGradient,
    faults.NoRuleForCase,
}
OF_A_FRAME = {faults.SparseAsDense, faults.ItemAssigned, faults.VariableMadeAgain, *differentiated_function.FAULTS}


@pytest.mark.parametrize("kind", [each for each in _leaves() if each.__module__ == faults.__name__])
def test_every_fault_is_explained(kind):
    known = {*explanation._functions, *exceptions._OF_CALLS, *OF_RULES, *OF_A_FRAME}
    assert known.intersection(kind.__mro__)
