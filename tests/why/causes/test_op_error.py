"""Every error that an op raises for its operands can give its causes."""

import ast
import pathlib

import pytest

import whygrad
import whygrad as tf
from tests.ops.table import BAD_INPUT
from whygrad.why.evidence.failed_op import is_array
from whygrad.why.source.wording import described


@pytest.mark.parametrize("case", BAD_INPUT, ids=str)
def test_every_refusal_has_its_place_and_its_operands(case):
    with pytest.raises(Exception) as caught:
        case.function(tf)
    if caught.traceback[-1].path == pathlib.Path(case.function.__code__.co_filename):
        return  # raised by a function of the row's own
    (cause,) = caught.value.causes
    function = case.function
    assert cause.site.file == function.__code__.co_filename
    # In the row, or in a function beside the table that the row calls.
    begin = [each.frame.code.raw.co_firstlineno for each in caught.traceback if str(each.path) == cause.site.file]
    assert cause.site.line >= min(begin)
    assert cause.site.text
    held = [cell.cell_contents for cell in function.__closure__ or ()]
    names = {**function.__globals__, **dict(zip(function.__code__.co_freevars, held)), "tf": tf}
    for text, said in cause.shapes.items():
        try:
            value = eval(text, names)
        except Exception:  # called by its parameter's name, or cut
            continue
        if is_array(value):
            assert said == described(value)


def test_every_error_of_an_op_has_causes():
    """Errors that Python has a class for are raised by the classes of `values/errors.py` that can say their causes."""
    folder = pathlib.Path(whygrad.__file__).parent
    plain = {"ValueError", "TypeError", "IndexError", "NotImplementedError", "RuntimeError"}
    found = [
        f"{path.name}:{node.lineno}"
        for room in ("values", "ops", "tape", "numpy", "modules")
        for path in sorted((folder / room).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in plain
    ]
    assert found == []
