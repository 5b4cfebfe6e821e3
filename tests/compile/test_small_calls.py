"""What makes small compiled calls quick: results packed by one expression, and arguments found again on the device."""

import collections
import functools

import pytest

import whygrad as tf
from whygrad.compile.signature import Place, fill, packer
from whygrad.compile.specialized import Specializations
from whygrad.engines.loading import engine

Pair = collections.namedtuple("Pair", "a b")
PLAIN = [
    Place(0),
    (Place(0),),
    [Place(1), Place(0)],
    (Place(0), [Place(1), (Place(2), None)], {}),
    {"b": Place(0), "a": [Place(1)], "c": ()},
    (Place(0), Place(0)),
]
OTHERS = [Pair(Place(0), Place(1)), [Place(0), 3.5], {1: Place(0)}, collections.OrderedDict(x=Place(0))]
DEEP = functools.reduce(lambda inner, _: [inner], range(300), Place(0))


@pytest.mark.parametrize("structure", [*PLAIN, *OTHERS, DEEP], ids=range(len(PLAIN + OTHERS) + 1))
def test_packed_results_are_the_filled_structure(structure):
    tensors = "a", "b", "c"
    packed, filled = packer(structure)(tensors), fill(structure, tensors)
    assert repr(packed) == repr(filled)
    assert type(packed) is type(filled)


@pytest.mark.parametrize("structure", PLAIN, ids=str)
def test_plain_structures_are_one_expression(structure):
    assert not isinstance(packer(structure), functools.partial)


@pytest.mark.parametrize("structure", OTHERS, ids=str)
def test_other_structures_are_filled(structure):
    assert isinstance(packer(structure), functools.partial)


def test_each_call_returns_containers_of_its_own():
    double = tf.function(lambda x: {"twice": [x * 2.0], "none": None})
    first, second = double(tf.constant(1.0)), double(tf.constant(3.0))
    first["twice"].clear()
    assert second["twice"][0].numpy() == 6
    assert second["none"] is None
    assert double(tf.constant(4.0))["twice"][0].numpy() == 8


def test_arguments_in_any_order_and_again():
    subtract = tf.function(lambda x, y: x - y)
    a, b = tf.constant(3.0), tf.constant(1.0)
    for _ in range(4):  # the fast path, with arrays that are kept on the device
        assert subtract(a, b).numpy() == 2
    assert [subtract(b, a).numpy(), subtract(a, a).numpy(), subtract(a, subtract(a, b)).numpy()] == [-2, 0, 1]


def test_methods_of_two_objects_do_not_mix():
    class Scale:
        def __init__(self, by):
            self.by = by

        @tf.function
        def __call__(self, x):
            return x * self.by

    x, two, three = tf.constant(1.0), Scale(2.0), Scale(3.0)
    for _ in range(5):
        assert (two(x).numpy(), three(x).numpy()) == (2, 3)


def test_structures_of_tensors_take_the_fast_path(monkeypatch):
    found = []
    find = Specializations._find
    monkeypatch.setattr(Specializations, "_find", lambda *given: found.append(given) or find(*given))

    @tf.function
    def weighted(batch, flag):
        (x, [y]), by = batch["data"], batch["by"]
        return x - y * by if flag else x

    def batch(x, y, by):
        return {"data": (tf.constant(x), [tf.constant(y)]), "by": tf.constant(by)}

    def reordered(x, y, by):
        return dict(reversed(batch(x, y, by).items()))

    for make in (batch, reordered) * 4:
        assert weighted(make(5.0, 2.0, 3.0), True).numpy() == -1
    settled = len(found)
    assert settled < 8
    assert weighted(batch(7.0, 1.0, 2.0), True).numpy() == 5
    assert weighted(reordered(7.0, 1.0, 2.0), True).numpy() == 5
    assert len(found) == settled
    assert weighted(batch(7.0, 1.0, 2.0), False).numpy() == 7
    assert weighted(batch(7.0, 1.0, 2.0), 1).numpy() == 5  # 1 is not True: its own trace
    assert weighted(batch([7.0, 8.0], 1.0, 2.0), True).numpy().tolist() == [5, 6]
    assert weighted.experimental_get_tracing_count() == 4


def test_tuples_and_lists_do_not_mix():
    is_list = tf.function(lambda pair: pair[0] * (1.0 if type(pair) is list else 0.0))
    one = tf.constant(1.0)
    for _ in range(5):
        assert (is_list([one, one]).numpy(), is_list((one, one)).numpy()) == (1, 0)


def test_strings_and_variables_among_structures_are_found_each_time():
    v, w = tf.Variable(1.0), tf.Variable(10.0)
    add = tf.function(lambda pair: pair[0] + pair[1])
    for _ in range(5):
        assert (add((v, tf.constant(2.0))).numpy(), add((w, tf.constant(2.0))).numpy()) == (3, 12)
    describe = tf.function(lambda pair: pair[1] * (2.0 if pair[0] == "double" else 3.0))
    for _ in range(5):
        found = [describe((name, tf.constant(2.0))).numpy() for name in ("double", "treble")]
        assert found == [4, 6]


def test_a_call_with_a_structure_is_recorded_by_tapes():
    f = tf.function(lambda pair: pair[0] * pair[1])
    x = tf.constant(3.0)
    for _ in range(5):
        f((x, x))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f((x, x))
    assert tape.gradient(y, x).numpy() == 6


@pytest.mark.parametrize("dtype", [tf.float32, tf.float64], ids=lambda each: each.name)
def test_calls_on_values_equal_the_general_call(dtype):
    w = tf.constant([[1.0, 2.0], [3.0, 4.0]], dtype)  # captured
    slope = tf.function(lambda x, y: {"product": w @ x, "sum": (x + y,)})
    x, y = tf.constant([[0.5], [0.25]], dtype), tf.constant([[2.0], [1.0]], dtype)
    device = slope(x, y)["product"]
    (special,) = slope._compiled.versions.values()
    quick = special.for_values()
    assert quick.__name__ == "run"  # not the general call
    for tensors in [(x, y), (y, x), (device, x)]:  # in main memory and on the device
        quickly, generally = quick(tensors), special(tensors)
        assert quickly["product"].dtype == generally["product"].dtype == dtype
        assert quickly["product"].numpy().tolist() == generally["product"].numpy().tolist()
        assert quickly["sum"][0].numpy().tolist() == generally["sum"][0].numpy().tolist()


def _quick(function):
    """What calls a function's only version, after a few calls."""
    return function._compiled.quick


def test_quick_calls_equal_the_general_call():
    w = tf.constant([[1.0, 2.0], [3.0, 4.0]])  # captured
    slope = tf.function(lambda x, y: {"product": w @ x, "sum": (x + y, None)})
    x, y = tf.constant([[0.5], [0.25]]), tf.constant([[2.0], [1.0]])
    for _ in range(4):
        device = slope(x, y)["product"]
    (special,) = slope._compiled.versions.values()
    for tensors in [(x, y), (y, x), (device, x), (device, device)]:  # in main memory and on the device
        quickly, generally = _quick(slope)(tensors), special(tensors)
        assert quickly["product"].numpy().tolist() == generally["product"].numpy().tolist()
        assert quickly["sum"][0].numpy().tolist() == generally["sum"][0].numpy().tolist()
        assert quickly["sum"][1] is None


def test_quick_calls_refuse_other_arguments():
    double = tf.function(lambda x: x * 2.0)
    x = tf.constant([1.0, 2.0])
    for _ in range(4):
        device = double(x)
    quick = _quick(double)
    others = [
        tf.constant([1.0, 2.0], tf.float64),  # JAX would make float32 of NumPy's float64
        tf.constant([1.0]),
        tf.constant(["a", "b"]),
        tf.Variable([1.0, 2.0]),
        tf.constant([[1.0, 2.0]]),
        tf.reshape(device, (2, 1)),
        1.0,
    ]
    wide = tf.function(lambda x: tf.cast(x, tf.float64))
    tall = tf.function(lambda x: tf.stack([x, x]))
    for other in [*others, wide(x), tall(x), tall(device)]:
        assert quick((other,)) is NotImplemented
    assert quick(()) is quick((x, x)) is NotImplemented
    assert quick((x,)).numpy().tolist() == [2, 4]


def test_a_function_with_two_kinds_of_arguments_looks_them_up():
    double = tf.function(lambda x: x * tf.cast(2, x.dtype))
    narrow, wide, device = tf.constant([1.0, 2.0]), tf.constant([1.5], tf.float64), None
    for _ in range(4):
        device = double(narrow)
    assert _quick(double) is not None
    assert (double(wide).numpy().tolist(), double(wide).dtype) == ([3.0], tf.float64)
    for _ in range(6):
        found = double(narrow), double(wide), double(device)
        assert [each.numpy().tolist() for each in found] == [[2, 4], [3], [4, 8]]
        assert [each.dtype for each in found] == [tf.float32, tf.float64, tf.float32]
    assert _quick(double) is None
    assert double.experimental_get_tracing_count() == 2


def test_quick_functions_that_need_more_are_called_as_ever():
    v = tf.Variable(2.0)
    reads = tf.function(lambda x: x * v)
    counted = []
    calls_python = tf.function(
        lambda x: tf.py_function(lambda y: counted.append(1) or y * 2, [x], tf.TensorSpec((), tf.float32))
    )
    double = tf.function(lambda x: x * 2.0)
    structure = tf.function(lambda pair: pair[0] + pair[1])
    x = tf.constant(3.0)
    for _ in range(4):
        assert reads(x).numpy() == calls_python(x).numpy() == double(x=x).numpy() == 6
        assert structure((x, x)).numpy() == 6
    assert len(counted) >= 4
    assert all(_quick(each) is None for each in (reads, calls_python, double, structure))


def test_quick_functions_run_eagerly_where_that_is_asked_for():
    ran = []
    double = tf.function(lambda x: ran.append(1) or x * 2.0)
    x = tf.constant(3.0)
    for _ in range(4):
        double(x)
    before = len(ran)
    assert _quick(double) is not None
    try:
        tf.config.run_functions_eagerly(True)
        double(x)
    finally:
        tf.config.run_functions_eagerly(False)
    assert len(ran) == before + 1
    with pytest.raises(TypeError, match="Binding"):
        double(x, x)


def test_tapes_record_a_function_that_was_called_on_values_before():
    square = tf.function(lambda x: x * x)
    x = tf.constant(3.0)
    for _ in range(6):
        assert square(x).numpy() == 9
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = square(x)
    assert tape.gradient(y, x).numpy() == 6
    assert square(x).numpy() == 9


def test_functions_of_variables_take_the_general_call():
    v = tf.Variable(2.0)
    read, update = tf.function(lambda x: x * v), tf.function(lambda x: v.assign_add(x))
    x = tf.constant(1.0)
    assert (read(x).numpy(), update(x).numpy()) == (2, 3)
    for function in (read, update):
        (special,) = function._compiled.versions.values()
        assert special.for_values() == special.__call__
    for count in range(5):
        assert (read(x).numpy(), update(x).numpy()) == (3 + count, 4 + count)


def test_what_has_no_function_in_cpp_is_called_itself():
    class Called:
        _call = None

    other = Called()
    assert engine().called_often(other) is other
    assert engine().called_often(print) is print
    double = tf.function(lambda x: x * 2.0)
    for _ in range(6):
        assert double(tf.constant(1.0)).numpy() == 2
    (special,) = double._compiled.versions.values()
    run = special._executable._run
    assert type(run).__name__ == "PjitFunction"
    assert engine().called_often(run) is run
