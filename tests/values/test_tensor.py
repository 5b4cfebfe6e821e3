"""Tensor in Python and NumPy: numbers, containers, text, copies, and attributes that it does not have."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest

import whygrad as tf

SUMMARIZED = repr(np.arange(2000, dtype=np.int32))  # NumPy 2.2 and later add the shape, on a line of its own

SHOWN = [
    (tf.constant(2.0), "tf.Tensor(2.0, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=2.0>"),
    (
        tf.constant([[1.0, 2.0], [3.0, 4.0]]),
        "tf.Tensor(\n[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=float32)",
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1., 2.],\n       [3., 4.]], dtype=float32)>",
    ),
    (tf.constant(True), "tf.Tensor(True, shape=(), dtype=bool)", "<tf.Tensor: shape=(), dtype=bool, numpy=True>"),
    (tf.constant("a"), "tf.Tensor(b'a', shape=(), dtype=string)", "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>"),
    (
        tf.constant(["a"]),
        "tf.Tensor([b'a'], shape=(1,), dtype=string)",
        "<tf.Tensor: shape=(1,), dtype=string, numpy=array([b'a'], dtype=object)>",
    ),
    (tf.constant(1 + 2j), "tf.Tensor((1+2j), shape=(), dtype=complex128)", "<tf.Tensor: shape=(), dtype=complex128, numpy=(1+2j)>"),
    (tf.constant(1.5, tf.bfloat16), "tf.Tensor(1.5, shape=(), dtype=bfloat16)", "<tf.Tensor: shape=(), dtype=bfloat16, numpy=1.5>"),
    (
        tf.constant([1.5], tf.bfloat16),
        "tf.Tensor([1.5], shape=(1,), dtype=bfloat16)",
        "<tf.Tensor: shape=(1,), dtype=bfloat16, numpy=array([1.5], dtype=bfloat16)>",
    ),
    (
        tf.zeros((0, 3)),
        "tf.Tensor([], shape=(0, 3), dtype=float32)",
        "<tf.Tensor: shape=(0, 3), dtype=float32, numpy=array([], shape=(0, 3), dtype=float32)>",
    ),
    (
        tf.range(2000),
        "tf.Tensor([   0    1    2 ... 1997 1998 1999], shape=(2000,), dtype=int32)",
        f"<tf.Tensor: shape=(2000,), dtype=int32, numpy={chr(10) * ('shape' in SUMMARIZED)}{SUMMARIZED}>",
    ),
    (tf.constant(1 / 3), "tf.Tensor(0.33333334, shape=(), dtype=float32)", "<tf.Tensor: shape=(), dtype=float32, numpy=0.3333333432674408>"),
]  # fmt: skip


@pytest.mark.parametrize(("tensor", "as_str", "as_repr"), SHOWN)
def test_printed(tensor, as_str, as_repr):
    assert str(tensor) == as_str
    assert repr(tensor) == as_repr
    assert f"{tensor}" == format(tensor.numpy())


def test_numbers():
    assert (float(tf.constant(1.5)), int(tf.constant(1.7)), bool(tf.constant(0.0)), complex(tf.constant(1j))) == (
        1.5,
        1,
        False,
        1j,
    )
    assert [10, 20, 30][tf.constant(1)] == 20
    assert list(range(tf.constant(2))) == [0, 1]
    assert f"{tf.constant(1.5):.3f} {tf.constant(3):03d}" == "1.500 003"
    assert round(tf.constant(2.567), 1) == pytest.approx(2.6)
    assert not tf.zeros((0,))
    for wrong, error in (
        (lambda: float(tf.ones(2)), TypeError),
        (lambda: int(tf.ones(2)), TypeError),
        (lambda: bool(tf.ones(2)), ValueError),
        (lambda: [1][tf.constant(0.0)], TypeError),
        (lambda: tf.constant([1]).__index__(), TypeError),
    ):
        with pytest.raises(error):
            wrong()


def test_container():
    t = tf.constant([[1, 2], [3, 4]])
    assert len(t) == 2
    assert [row.numpy().tolist() for row in t] == [[1, 2], [3, 4]]
    assert [int(x) for x in reversed(tf.constant([1, 2]))] == [2, 1]
    assert int(max(tf.constant([1, 3, 2]))) == 3
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(tf.constant(1.0))
    with pytest.raises(TypeError, match="Scalar tensor has no `len"):
        len(tf.constant(1.0))
    with pytest.raises(TypeError, match="does not support item assignment"):
        t[0] = 1


def test_arrays():
    t = tf.constant([1.0, 2.0])
    own = t.numpy()
    own[0] = 9
    assert t.numpy()[0] == 1
    view = np.asarray(t)
    assert not view.flags.writeable
    np.testing.assert_array_equal(np.array(t, dtype=np.int32), [1, 2])
    # Since Python 3.12 tensors have a buffer, which NumPy asks for first; the sentence is then its own.
    with pytest.raises(ValueError, match="without a copy" if sys.version_info < (3, 12) else "Unable to avoid copy"):
        np.asarray(t, dtype=np.int32, copy=False)
    assert isinstance(tf.constant(1.0).numpy(), np.float32)
    assert isinstance(np.sin(t), np.ndarray)
    assert isinstance(np.ones(2) * t, tf.Tensor)
    taken = np.from_dlpack(t)
    np.testing.assert_array_equal(taken, [1, 2])
    assert t.__dlpack_device__() == (1, 0)
    np.testing.assert_array_equal(np.from_dlpack(t, copy=True), [1, 2])
    with pytest.raises(BufferError, match="a tensor never changes: its memory is given away as a copy"):
        np.from_dlpack(t, copy=False)


def test_identity():
    a, b = tf.constant(1.0), tf.constant(1.0)
    assert {a: "a", b: "b"}[a] == "a"
    assert a.ref() == a.ref() != b.ref()
    assert a.ref().deref() is a
    assert len({a.ref(), a.ref(), b.ref()}) == 2


@pytest.mark.parametrize("value", [[1.0, 2.0], ["a"], True])
def test_copies(value):
    t = tf.constant(value)
    for twin in (copy.copy(t), copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
        np.testing.assert_array_equal(twin.numpy(), t.numpy())
        assert twin.dtype is t.dtype


def test_weak_references():
    t = tf.constant(1.0)
    reference = weakref.ref(t)
    gc.disable()
    try:
        del t
        assert reference() is None  # by reference count alone
    finally:
        gc.enable()


def test_attributes_of_the_programs_own():
    t, v = tf.constant(1.0), tf.Variable(1.0)
    for each in (t, v, t * 2.0, tf.function(lambda x: x + 1.0)(t)):
        each.mask = t
        assert each.mask is t
        assert "mask" in dir(each)
        del each.mask
    with pytest.raises(AttributeError):
        t.shape = (1,)


@pytest.mark.parametrize("name", ["name", "op", "graph", "value_index"])
def test_attributes_of_graph_tensors_are_undefined(name):
    t = tf.constant(1.0)
    assert not hasattr(t, name)
    with pytest.raises(AttributeError, match=f"{name} is undefined when eager execution is enabled"):
        getattr(t, name)


@pytest.mark.parametrize("name", ["T", "astype", "reshape", "tolist", "size"])
def test_attributes_of_arrays_do_not_exist(name):
    with pytest.raises(AttributeError, match=f"EagerTensor object has no attribute '{name}'"):
        getattr(tf.constant(1.0), name)


@pytest.mark.parametrize("name", ["assign", "assign_sub", "scatter_sub"])
def test_methods_of_variables_suggest_a_variable(name):
    with pytest.raises(AttributeError, match=f"no attribute '{name}'. A tensor never changes: make it a tf.Variable"):
        getattr(tf.constant(1.0), name)


def test_unknown_attributes():
    t = tf.constant(1.0)
    assert not {"T", "graph", "assign_add"} & set(dir(t))
    assert "numpy" in dir(t)
    assert not hasattr(tf.Tensor, "T")
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'foo'"):
        t.foo
    with pytest.raises(NotImplementedError, match="eval is not supported"):
        t.eval()
    with pytest.raises(NotImplementedError, match="consumers is undefined"):
        t.consumers()
    with pytest.raises(TypeError, match="Tensors are made with"):
        tf.Tensor([1.0])


def test_shape_and_device():
    t = tf.ones((2, 3))
    assert (t.ndim, t.shape, t.get_shape(), t.dtype) == (2, (2, 3), (2, 3), tf.float32)
    assert t.device.endswith("CPU:0")
    assert t.cpu() is t
    t.set_shape([2, None])
    with pytest.raises(ValueError, match="is not compatible with supplied shape"):
        t.set_shape([3])


def test_scopes_do_not_reach_other_threads():
    import threading

    seen = []
    with tf.name_scope("outer"):
        thread = threading.Thread(target=lambda: seen.append(tf.get_current_name_scope()))
        thread.start()
        thread.join()
    assert seen == [""]


def test_int_and_float_of_a_complex_scalar_drop_the_imaginary_part():
    z = tf.constant(3.0 + 2.0j)
    with pytest.warns(np.exceptions.ComplexWarning):
        assert float(z) == 3.0
    with pytest.warns(np.exceptions.ComplexWarning):
        assert int(z) == 3
    assert complex(z) == 3 + 2j


def test_references_can_be_ordered_and_referred_to_weakly():
    a, b = tf.constant(1.0), tf.constant(2.0)
    reference = a.ref()
    assert weakref.ref(reference)() is reference
    assert (a.ref() < b.ref()) is not (b.ref() < a.ref())
    assert sorted(tf.nest.flatten({a.ref(): 1, b.ref(): 2})) == [1, 2]
    assert tf.nest.map_structure(lambda n: n + 1, {a.ref(): 1, b.ref(): 2}) == {a.ref(): 2, b.ref(): 3}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python asks classes for a buffer since 3.12")
def test_memoryview():
    t = tf.constant([[1.0, 2.0]])
    assert memoryview(t).tolist() == [[1.0, 2.0]]
    assert memoryview(t).readonly
    assert bytes(t) == t.numpy().tobytes()
