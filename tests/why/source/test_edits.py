"""Edits of the program's text, as helps describe them."""

import ast

import pytest

from whygrad.why.source.edits import Edit, edited, filled, inserted_before, unparsed, with_keyword, with_operand
from whygrad.why.source.sites import tree_of


@pytest.fixture
def program(tmp_path):
    """Write a program, and give its path and the first node of a kind in it."""

    def write(source, kind=ast.Call):
        path = tmp_path / f"program_{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source, encoding="utf-8")
        node = next(each for each in ast.walk(tree_of(str(path))) if isinstance(each, kind))
        return path, node

    return write


def test_templates_keep_what_binds_more_tightly():
    operand = ast.parse("a - b", mode="eval").body
    assert unparsed(filled("{0} ** 2", operand)) == "(a - b) ** 2"
    assert unparsed(filled("f({1}, {0})", operand, ast.parse("x", mode="eval").body)) == "f(x, a - b)"


def test_small_numbers_are_written_as_people_write_them():
    assert unparsed(ast.parse("x + 1e-6 + 1e-12")) == "x + 1e-6 + 1e-12"


def test_a_keyword_is_added_or_replaced(program):
    for source, after in [
        ("y = f(x)\n", "y = f(x, axis=1)\n"),
        ("y = f(x, axis=0)\n", "y = f(x, axis=1)\n"),
        ("y = f(x, 0)\n", "y = f(x, 1)\n"),
    ]:
        path, node = program(source)
        code = with_keyword(str(path), node, "axis", "1", 1)
        assert edited(source, code.edits) == after


def test_a_statement_is_put_before_another(program):
    for source, after in [
        ("with a:\n    b = 1\n", "with a:\n    first()\n    b = 1\n"),
        ("with a: b = 1\n", "with a: first(); b = 1\n"),
    ]:
        path, node = program(source, ast.Assign)
        assert edited(source, [inserted_before(str(path), node, "first()")]) == after


def test_edits_of_one_file_do_not_move_each_other():
    edits = [Edit("f", 1, 0, 1, 1, "longer"), Edit("f", 1, 4, 1, 5, "name"), Edit("f", 2, 0, 3, 1, "one line")]
    assert edited("a + b\n(c\n)\n", edits) == "longer + name\none line\n"
    assert edited("a + b\n(c\n)\n", edits + edits) == "longer + name\none line\n"


def test_an_operator_stays_in_its_parentheses(program):
    source = "def half(a, b):\n    return -(a / b) ** 2\n"
    path, _ = program(source, ast.BinOp)
    code = compile(source, str(path), "exec").co_consts[0]
    division = next(i for i, each in enumerate(code.co_positions()) if each[2:] == (13, 18)) * 2
    found = with_operand(code, division, 1, "{0} + 1e-7")
    assert found.text == "a / (b + 1e-7)"
    assert ast.dump(ast.parse(edited(source, found.edits))) == ast.dump(
        ast.parse(source.replace("/ b", "/ (b + 1e-7)"))
    )
