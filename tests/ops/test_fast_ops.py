"""The fast forms of ops on one and two tensors: equal to the reference, named, and computed once where they fail."""

import contextlib
import itertools
import linecache
import traceback

import numpy as np
import pytest

import whygrad as tf
from tests.ops.table import BAD_INPUT, CASES
from tests.support.outcomes import Numbers, described, described_record, fast_forms, outcome
from tools import fast_forms as fast_forms_tool
from whygrad.ops import primitive
from whygrad.ops.fast_ops import OUTPUT_BIT
from whygrad.ops.primitive import Primitive, convert_operands, op_function
from whygrad.runtime.error_state import silently
from whygrad.values.conversion import convert


@pytest.fixture(params=[True, False], ids=["fast", "reference"])
def forms(request):
    with fast_forms(request.param):
        yield request.param


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_row_is_equal_to_the_reference(case):
    """Values, gradients of first and second order and records, all bit by bit: both forms do the same sums in one order."""
    for dtype in (*case.dtypes, *(["complex128"] if case.complex else [])):
        with fast_forms(True):
            fast = outcome(case.function, case.draw(dtype))
        with fast_forms(False):
            reference = outcome(case.function, case.draw(dtype))
        for part, expected in reference.items():
            assert fast[part] == expected, (part, dtype)


@pytest.mark.parametrize("case", BAD_INPUT, ids=str)
def test_errors_are_those_of_the_reference(case):
    errors = []
    for on in (True, False):
        with fast_forms(on), pytest.raises(Exception) as caught:
            case.function(tf)
        errors.append((type(caught.value), str(caught.value)))
    assert errors[0] == errors[1]


def test_the_comparison_sees_a_difference():
    x = np.array([1.0, 2.0], np.float32)
    sines, cosines = (outcome(lambda tf, x, op=op: getattr(tf, op)(x), [x]) for op in ("sin", "cos"))
    assert all(sines[part] != cosines[part] for part in sines)


def test_the_switch_sends_every_op_to_the_general_form(monkeypatch):
    names = []
    plain = primitive.apply
    monkeypatch.setattr(primitive, "apply", lambda op, *inputs: [names.append(op.name), plain(op, *inputs)][1])
    x = tf.constant([1.0])
    with fast_forms(True):
        tf.tanh(x) + x
        assert names == []
    with fast_forms(False):
        tf.tanh(x) + x
        assert names == ["tanh", "add"]


def test_the_file_of_fast_forms_is_what_the_template_gives():
    assert fast_forms_tool.main(["--check"]) == 0


@pytest.mark.parametrize("form", fast_forms_tool.FORMS)
def test_the_rendered_form_keeps_what_the_plan_says(form):
    inputs = sorted(fast_forms_tool.FORMS[form])
    source = fast_forms_tool.source_of(form, fast_forms_tool.FORMS[form])
    kept = next(line.strip() for line in source.splitlines() if line.strip().startswith("kept = ["))
    names = [*inputs, "made"]
    bits = [1 << i for i in range(len(inputs))] + [OUTPUT_BIT]
    for chosen in itertools.product([False, True], repeat=len(names)):
        scope = {name: name for name in names} | {"keeps": sum(bit for bit, on in zip(bits, chosen) if on)}
        exec(kept, scope)
        assert list(scope["kept"]) == [name for name, on in zip(names, chosen) if on]


def _counting(error=None, inputs=1):
    """An op whose forward function counts its calls, and fails with `error`."""
    calls = []

    def forward_of_one(xp, x):
        calls.append(x)
        if error is not None:
            raise error
        return xp.exp(x)

    def forward_of_two(xp, a, b):
        return forward_of_one(xp, a + b)

    forward = forward_of_one if inputs == 1 else forward_of_two
    counting = Primitive("test_counting", forward, no_gradient="it only counts", register=False)
    return op_function(counting, "number", convert if inputs == 1 else convert_operands), calls


@pytest.mark.parametrize("inputs", [1, 2])
@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (ValueError("the forward failed"), tf.errors.InvalidArgumentError),
        (MemoryError("too large"), tf.errors.ResourceExhaustedError),
        (RuntimeError("cannot enter context: another is already entered"), RuntimeError),
        (KeyError("no refusal of operands"), KeyError),
    ],
    ids=["refused", "memory", "runtime", "other"],
)
def test_a_failing_op_computes_its_forward_once(forms, error, raised, inputs):
    op, calls = _counting(error, inputs)
    with pytest.raises(raised) as caught:
        op(*[tf.constant([1.0])] * inputs)
    assert len(calls) == 1
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("error", [None, ValueError("the forward failed")], ids=["computed", "failed"])
def test_an_op_inside_of_another_call_computes_its_forward_once(forms, error):
    op, calls = _counting(error)
    if error is None:
        assert np.isposinf(silently(op, tf.constant(1000.0)))
    else:
        with pytest.raises(tf.errors.InvalidArgumentError):
            silently(op, tf.constant(1000.0))
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x, y: tf.tanh("no number"), "tanh"),
        (lambda x, y: tf.multiply(x, y), "multiply"),
        (lambda x, y: x + y, "__add__"),
        (lambda x, y: tf.Variable(x) * y, "__mul__"),
        (lambda x, y: x / y, "__truediv__"),
        (lambda x, y: [1.0, 2.0, 3.0] - x, "__rsub__"),
        (lambda x, y: x < y, "__lt__"),
        (lambda x, y: x == tf.constant([1, 2]), "__eq__"),
        (lambda x, y: x @ y, "__matmul__"),
    ],
)
def test_an_op_has_its_own_name_in_a_traceback(forms, call, name):
    with pytest.raises(Exception) as caught:
        call(tf.ones(2), tf.ones(3))
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert frames[2].name == name, frames
    assert frames[2].line  # the rendered source is there to read


def test_code_objects_have_the_names_of_the_functions():
    for owner in (tf.Tensor, tf.Variable):
        for name in ("__add__", "__radd__", "__matmul__", "__rpow__", "__ge__", "__ne__", "__neg__", "__invert__"):
            method = getattr(owner, name)
            assert (method.__name__, method.__code__.co_name) == (name, name)
            assert method.__qualname__ == method.__code__.co_qualname == f"{owner.__name__}.{name}"
    assert tf.tanh.__code__.co_qualname == tf.tanh.__qualname__ == "tanh"


def test_the_rendered_source_can_be_read():
    for function in (tf.tanh, tf.multiply):
        code = function.__code__
        assert linecache.getline(code.co_filename, code.co_firstlineno).strip().startswith("def op(x")
        linecache.checkcache(code.co_filename)
        assert linecache.getline(code.co_filename, code.co_firstlineno)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int32"])
@pytest.mark.parametrize("count", [2, 3])
def test_each_of_several_tapes_has_the_records_of_the_reference(count, dtype):
    """Tapes that watch different tensors get different plans, and lists of their own for what is kept."""
    found = []
    for on in (True, False):
        x, y = tf.constant([1, 2], dtype), tf.constant([3, 4], dtype)
        tapes = [tf.GradientTape(persistent=True) for _ in range(count)]
        with fast_forms(on), contextlib.ExitStack() as stack:
            for tape, watched in zip(tapes, ([x], [x, y], [y])):
                stack.enter_context(tape)
                if dtype != "int32":
                    tape.watch(watched)
            z = tf.square(x * y) - x
            target = -tf.stop_gradient(y) * z
        numbers = Numbers()
        records = [[described_record(record, numbers) for record in tape.records] for tape in tapes]
        lists = [id(record.kept) for tape in tapes for record in tape.records if record.kept]
        assert len(set(lists)) == len(lists)
        gradients = [described(tape.gradient(target, [x, y]), numbers) for tape in tapes] if dtype != "int32" else []
        found.append((records, gradients))
    assert found[0] == found[1]
