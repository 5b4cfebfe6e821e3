"""Errors as data: the text is written from the fault's fields, and both survive copying and pickling."""

import copy
import pickle
import string

import numpy as np
import pytest

import whygrad as tf
from whygrad.values import dtypes, faults
from whygrad.values.errors import OpTypeError, OpValueError, behind, invalid


def _kinds(kind=faults.Fault):
    yield kind
    for each in kind.__subclasses__():
        yield from _kinds(each)


def _error(function):
    with pytest.raises(Exception) as caught:
        function()
    return caught.value


RAISED = {
    "shapes": (
        lambda: tf.ones(2) + tf.ones(3),
        faults.IncompatibleShapes(a=(2,), b=(3,), op="AddV2"),
        "Incompatible shapes: [2] vs. [3] [Op:AddV2]",
    ),
    "inner sizes": (
        lambda: tf.matmul(tf.ones((2, 3)), tf.ones((2, 3))),
        faults.InnerSizesDiffer(a=(2, 3), b=(2, 3), op="MatMul"),
        "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] [Op:MatMul]",
    ),
    "dtypes": (
        lambda: tf.ones(2) * tf.constant([1, 2]),
        faults.DtypesDiffer(wanted=dtypes.float32, dtype=dtypes.int32, op="Mul"),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a int32 tensor [Op:Mul]",
    ),
    "a dtype": (
        lambda: tf.sqrt(tf.constant([1])),
        faults.DtypeNotAllowed(
            dtype=dtypes.int32, allowed=("bfloat16", "half", "float", "double", "complex64", "complex128"), op="Sqrt"
        ),
        "Value for attr 'T' of int32 is not in the list of allowed values: bfloat16, half, float, double, complex64, "
        "complex128 [Op:Sqrt]",
    ),
    "an index": (
        lambda: tf.gather(tf.ones((4, 2)), [0, 5]),
        faults.IndexOutOfRange(index=5, size=4, axis=0, place="[1]", op="GatherV2"),
        "indices[1] = 5 is not in [0, 4) [Op:GatherV2]",
    ),
    "a reshape": (
        lambda: tf.reshape(tf.ones(6), (4, -1)),
        faults.ReshapeCount(count=6, wanted=4, multiple=True, op="Reshape"),
        "Input to reshape is a tensor with 6 values, but the requested shape requires a multiple of 4 [Op:Reshape]",
    ),
}


@pytest.mark.parametrize("name", RAISED)
def test_an_error_holds_what_was_wrong(name):
    function, fault, text = RAISED[name]
    error = _error(function)
    assert error.fault == fault
    assert str(error) == str(error.fault) == error.message == text


@pytest.mark.parametrize("name", RAISED)
def test_errors_of_tensorflows_classes_keep_their_faults(name):
    function, fault, text = RAISED[name]
    error = _error(function)
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert (type(again), str(again), again.fault) == (type(error), text, fault)


def test_pythons_own_classes_are_pickled_as_such():
    error = _error(lambda: tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones(4), logits=tf.ones((4, 1))))
    assert error.fault == faults.ShapesDiffer(first="logits", second="labels", first_shape=(4, 1), second_shape=(4,))
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args) == (ValueError, error.args)


def test_an_axis_is_worded_by_its_op():
    wordings = set()
    for function in (
        lambda: tf.reduce_sum(tf.ones((2, 3)), axis=5),
        lambda: tf.expand_dims(tf.ones((2, 3)), 5),
        lambda: tf.stack([tf.ones((2, 3))] * 2, axis=5),
        lambda: tf.concat([tf.ones((2, 3))] * 2, axis=5),
        lambda: tf.nn.softmax(tf.ones((2, 3)), axis=5),
        lambda: tf.argmax(tf.ones((2, 3)), axis=5),
    ):
        fault = _error(function).fault
        assert isinstance(fault, faults.AxisOutOfRange)
        assert (fault.axis, fault.rank) == (5, 2)
        wordings.add(str(fault))
    assert len(wordings) == 6


@pytest.mark.parametrize("kind", list(_kinds()))
def test_sentences_are_written_from_fields_that_exist(kind):
    known = {name for base in kind.__mro__ for name in (*vars(base), *vars(base).get("__annotations__", {}))}
    used = {name.partition(".")[0] for _, name, _, _ in string.Formatter().parse(kind.sentence) if name}
    assert used <= known


def test_braces_in_a_prefix_or_a_value_stand_for_themselves():
    error = OpTypeError(faults.NotRepresentable(shown="{1}", dtype=dtypes.int32))
    assert str(behind("{stop}: ", error)) == "{stop}: Cannot convert {1} to EagerTensor of dtype int32"
    assert str(behind("{stop}: ", ValueError("{}"))) == "{stop}: {}"
    assert isinstance(behind("stop: ", error), faults.NotRepresentable)


def test_a_message_alone_has_no_fault():
    assert (invalid("no").fault, OpValueError("no").fault) == (None, None)


@pytest.mark.parametrize(("value", "name"), [(tf.ones(2), "Tensor"), (tf.Variable([1.0]), "Variable")])
def test_items_are_refused_with_pythons_words(value, name):
    def assign():
        value[0] = 3.0

    error = _error(assign)
    assert isinstance(error, TypeError)
    assert str(error).endswith(f"{name}' object does not support item assignment")
    assert "help: " in "".join(error.__notes__)


def test_a_hint_that_a_number_cannot_take_is_left_aside():
    assert tf.convert_to_tensor(2.5, dtype_hint=tf.int32).dtype is tf.float32
    assert tf.convert_to_tensor("a", dtype_hint=tf.float32).dtype is tf.string
    assert tf.convert_to_tensor(2, dtype_hint=tf.float64).dtype is tf.float64
    assert tf.convert_to_tensor(np.float64(2.5), dtype_hint=tf.int32).dtype is tf.int32
