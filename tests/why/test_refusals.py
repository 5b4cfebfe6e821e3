"""What is said of an op that refuses its operands: kind, line, columns' text, shapes, sentence and help, for each mistake."""

import ast
import code
import pathlib
import sys
import textwrap
import traceback
import zipfile

import numpy as np
import pytest

import whygrad
import whygrad as tf
from tests.ops.table import BAD_INPUT
from tests.why.asked import raised, run, told, warned
from whygrad.values.errors import Explained
from whygrad.why.evidence.failed_op import is_array
from whygrad.why.evidence.trace import tracing
from whygrad.why.source.wording import described

CASES = {
    "batches of matrices": (
        """
        q, k = tf.ones([2, 4, 8]), tf.ones([2, 4, 8])
        s = tf.matmul(q, tf.transpose(k))
        """,
        "shape-mismatch",
        (3, "tf.matmul(q, tf.transpose(k))"),
        {"q": "float32 (2, 4, 8)", "tf.transpose(k)": "float32 (8, 4, 2)"},
        "`q` (2, 4, 8) has 8 at its last axis, `tf.transpose(k)` (8, 4, 2) has 4",
        "use tf.matmul(q, k, transpose_b=True)",
    ),
    "matrices that fit transposed": (
        """
        x, w = tf.ones([4, 8]), tf.ones([16, 8])
        y = x @ w
        """,
        "shape-mismatch",
        (3, "x @ w"),
        {"x": "float32 (4, 8)", "w": "float32 (16, 8)"},
        "the inner sizes differ",
        "tf.matmul(x, w, transpose_b=True), of shape (4, 16)",
    ),
    "a vector for a matrix": (
        """
        w, x = tf.ones([4, 8]), tf.ones([8])
        y = tf.matmul(w, x * 2.0)
        """,
        "shape-mismatch",
        (3, "tf.matmul(w, x * 2.0)"),
        {"w": "float32 (4, 8)", "x * 2.0": "float32 (8,)"},
        "`x * 2.0` has 1 axis",
        "tf.linalg.matvec(w, x * 2.0), or (x * 2.0)[:, tf.newaxis]",
    ),
    "matvec": (
        """
        w, x = tf.ones([4, 8]), tf.ones([4])
        y = tf.linalg.matvec(w, x)
        """,
        "shape-mismatch",
        (3, "tf.linalg.matvec(w, x)"),
        {"w": "float32 (4, 8)", "x": "float32 (4,)"},
        "`w` (4, 8) takes vectors of 8, and `x` (4,) has 4",
        "tf.linalg.matvec(w, x, transpose_a=True)",
    ),
    "einsum": (
        """
        q, k = tf.ones([2, 3, 8]), tf.ones([2, 3, 4])
        s = tf.einsum("bqd,bkd->bqk", q, k)
        """,
        "shape-mismatch",
        (3, 'tf.einsum("bqd,bkd->bqk", q, k)'),
        {"q": "float32 (2, 3, 8)", "k": "float32 (2, 3, 4)"},
        "d is 8 in `q` (2, 3, 8) and 4 in `k` (2, 3, 4)",
        "a letter has one size",
    ),
    "one value for each row": (
        """
        x, scale = tf.ones([4, 3]), tf.ones([4])
        y = scale * x
        """,
        "shape-mismatch",
        (3, "scale * x"),
        {"scale": "float32 (4,)", "x": "float32 (4, 3)"},
        "at the last axis 4 meets 3",
        "scale[:, tf.newaxis]",
    ),
    "an integer beside a float": (
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        x = tf.constant([1, 2, 3])
        y = w * x
        """,
        "dtype-mismatch",
        (4, "w * x"),
        {"w": "float32 (3,)", "x": "int32 (3,)"},
        "`w` is float32 and `x` is int32",
        "tf.cast(x, tf.float32), or write 1.0 for 1",
    ),
    "an integer before a float": (
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        y = tf.constant([1, 2, 3]) / w
        """,
        "dtype-mismatch",
        (3, "tf.constant([1, 2, 3]) / w"),
        {"tf.constant([1, 2, 3])": "int32 (3,)", "w": "float32 (3,)"},
        "`tf.constant([1, 2, 3])` is int32 and `w` is float32",
        "tf.cast(tf.constant([1, 2, 3]), tf.float32)",
    ),
    "a NumPy array": (
        """
        w = tf.Variable([1.0, 2.0])
        data = np.ones(2)
        w.assign_sub(tf.constant(data))
        """,
        "dtype-mismatch",
        (4, "w.assign_sub(tf.constant(data))"),
        {"w": "float32 (2,)", "tf.constant(data)": "float64 (2,)"},
        "`w` is float32 and `tf.constant(data)` is float64",
        "tf.cast(tf.constant(data), tf.float32)",
    ),
    "a fraction for integers": (
        """
        count = tf.constant([1, 2])
        y = 2.5 * count
        """,
        "dtype-mismatch",
        (3, "2.5 * count"),
        {"count": "int32 (2,)"},
        "`count` is int32 and takes no fractions such as `2.5`",
        "tf.cast(count, tf.float32)",
    ),
    "a condition": (
        """
        mask = tf.constant([1.0, 0.0])
        y = tf.where(mask, tf.ones(2), tf.zeros(2))
        """,
        "dtype-mismatch",
        (3, "tf.where(mask, tf.ones(2), tf.zeros(2))"),
        {"mask": "float32 (2,)", "tf.ones(2)": "float32 (2,)", "tf.zeros(2)": "float32 (2,)"},
        "the condition `mask` is float32, not bool",
        "mask > 0",
    ),
    "integers where floats belong": (
        """
        x = tf.constant([1, 4])
        y = tf.sqrt(x)
        """,
        "invalid-argument",
        (3, "tf.sqrt(x)"),
        {"x": "int32 (2,)"},
        "`x` is int32, which tf.sqrt does not take",
        "tf.cast(x, tf.float32)",
    ),
    "one-hot labels for class ids": (
        """
        labels, logits = tf.ones([4, 3], tf.int32), tf.zeros([4, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)"),
        {"labels": "int32 (4, 3)", "logits": "float32 (4, 3)"},
        "this loss takes class ids, of shape (4,)",
        "use tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=logits), or class ids: tf.argmax(labels, axis=-1)",
    ),
    "class ids in a column": (
        """
        labels, logits = tf.ones([4, 1], tf.int32), tf.zeros([4, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)
        """,
        "shape-mismatch",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=labels)"),
        {"logits": "float32 (4, 3)", "labels": "int32 (4, 1)"},
        "`labels` has shape (4, 1)",
        "tf.squeeze(labels, axis=-1)",
    ),
    "class ids for one-hot labels": (
        """
        y, logits = tf.constant([0, 1, 2, 0]), tf.zeros([4, 3])
        loss = tf.nn.softmax_cross_entropy_with_logits(y, logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.softmax_cross_entropy_with_logits(y, logits)"),
        {"y": "int32 (4,)", "logits": "float32 (4, 3)"},
        "`y` (4,) holds one number for each row of `logits` (4, 3), as class ids do",
        "use tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits), or one-hot labels: tf.one_hot(y, 3)",
    ),
    "a column of logits": (
        """
        y, logits = tf.ones([4]), tf.zeros([4, 1])
        loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)
        """,
        "shape-mismatch",
        (3, "tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)"),
        {"y": "float32 (4,)", "logits": "float32 (4, 1)"},
        "`y` has shape (4,) and `logits` has (4, 1): they must be equal",
        "tf.reshape(y, logits.shape)",
    ),
    "a label after the last": (
        """
        y, logits = tf.constant([1, 3]), tf.zeros([2, 3])
        loss = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
        """,
        "label-out-of-range",
        (3, "tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)"),
        {"y": "int32 (2,)", "logits": "float32 (2, 3)"},
        "the class id 3 in `y` lies outside 0 to 2: `logits` has 3 classes",
        "y - 1",
    ),
    "assigning another shape": (
        """
        class Model:
            pass
        model = Model()
        model.w = tf.Variable(tf.ones([3]))
        model.w.assign(tf.ones([3, 1]))
        """,
        "shape-mismatch",
        (6, "model.w.assign(tf.ones([3, 1]))"),
        {"model.w": "float32 (3,)", "tf.ones([3, 1])": "float32 (3, 1)"},
        "`model.w` has shape (3,), and `tf.ones([3, 1])` has (3, 1)",
        "tf.reshape(tf.ones([3, 1]), model.w.shape)",
    ),
    "an update for each sample": (
        """
        b, g = tf.Variable(tf.zeros([3])), tf.ones([5, 3])
        b.assign_sub(0.1 * g)
        """,
        "shape-mismatch",
        (3, "b.assign_sub(0.1 * g)"),
        {"b": "float32 (3,)", "0.1 * g": "float32 (5, 3)"},
        "`b` has shape (3,), and `0.1 * g` has (5, 3)",
        "tf.reduce_mean(0.1 * g, axis=0)",
    ),
    "an image without channels": (
        """
        img, kernel = tf.ones([1, 28, 28]), tf.ones([3, 3, 1, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (1, 28, 28)", "kernel": "float32 (3, 3, 1, 4)"},
        "`img` has 3 axes, shape (1, 28, 28); the op takes 4: (batch, height, width, channels)",
        "add the channel axis: img[..., tf.newaxis]",
    ),
    "an image without a batch": (
        """
        img, kernel = tf.ones([28, 28, 3]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (28, 28, 3)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 3 axes",
        "add the batch axis: img[tf.newaxis]",
    ),
    "channels first": (
        """
        img, kernel = tf.ones([2, 3, 8, 8]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (2, 3, 8, 8)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 8 channels at its last axis, and `kernel` takes 3",
        "tf.transpose(img, [0, 2, 3, 1])",
    ),
    "another number of channels": (
        """
        img, kernel = tf.ones([2, 8, 8, 1]), tf.ones([3, 3, 3, 4])
        y = tf.nn.conv2d(img, kernel, 1, "SAME")
        """,
        "shape-mismatch",
        (3, 'tf.nn.conv2d(img, kernel, 1, "SAME")'),
        {"img": "float32 (2, 8, 8, 1)", "kernel": "float32 (3, 3, 3, 4)"},
        "`img` has 1 channel at its last axis, and `kernel` takes 3",
        "axis 2 of the filters is the number of channels that come in: make it 1, or give 3",
    ),
    "a padding in small letters": (
        """
        img, kernel = tf.ones([2, 8, 8, 1]), tf.ones([3, 3, 1, 4])
        y = tf.nn.conv2d(img, kernel, 1, "same")
        """,
        "invalid-argument",
        (3, 'tf.nn.conv2d(img, kernel, 1, "same")'),
        {"img": "float32 (2, 8, 8, 1)", "kernel": "float32 (3, 3, 1, 4)"},
        "Value for attr 'padding'",
        'write it "SAME"',
    ),
    "concat": (
        """
        a, b = tf.ones([8, 3]), tf.ones([4, 3])
        y = tf.concat([a, b], axis=1)
        """,
        "shape-mismatch",
        (3, "tf.concat([a, b], axis=1)"),
        {"a": "float32 (8, 3)", "b": "float32 (4, 3)"},
        "all sizes but that of axis 1 must be equal: `a` has 8 and `b` has 4 at axis 0",
        "tf.concat([a, b], axis=0)",
    ),
    "a list of parts": (
        """
        parts = [tf.ones([2, i]) for i in (3, 4)]
        y = tf.stack(parts)
        """,
        "shape-mismatch",
        (3, "tf.stack(parts)"),
        {"parts[0]": "float32 (2, 3)", "parts[1]": "float32 (2, 4)"},
        "`parts[0]` has shape (2, 3) and `parts[1]` has (2, 4)",
        "tf.concat joins",
    ),
    "split": (
        """
        x = tf.ones([6, 2])
        a, b, c, d = tf.split(x, 4)
        """,
        "shape-mismatch",
        (3, "tf.split(x, 4)"),
        {"x": "float32 (6, 2)"},
        "axis 0 of `x` (6, 2) has 6 elements, which is no multiple of 4",
        "tf.split(x, [2, 2, 1, 1], axis=0)",
    ),
    "reshape": (
        """
        image = tf.ones([4, 7, 7])
        flat = tf.reshape(image, (4, 28))
        """,
        "reshape-count",
        (3, "tf.reshape(image, (4, 28))"),
        {"image": "float32 (4, 7, 7)"},
        "`image` (4, 7, 7) has 196 elements, the new shape has 112",
        "tf.reshape(image, [4, -1]) gives (4, 49)",
    ),
    "an axis": (
        """
        s = tf.ones([2, 3])
        y = tf.reduce_sum(s, axis=2)
        """,
        "axis-out-of-range",
        (3, "tf.reduce_sum(s, axis=2)"),
        {"s": "float32 (2, 3)"},
        "`s` has 2 axes, shape (2, 3): there is no axis 2",
        "axes of `s` run from -2 to 1",
    ),
    "an axis of a scalar": (
        """
        s = tf.constant(1.0)
        y = tf.nn.softmax(tf.reduce_sum(s), axis=1) if False else tf.reduce_mean(s, axis=0)
        """,
        "axis-out-of-range",
        (3, "tf.reduce_mean(s, axis=0)"),
        {"s": "float32 ()"},
        "`s` is a scalar, shape (): it has no axes, and no axis 0",
        "leave the axis out",
    ),
    "the place of a new axis": (
        """
        y = tf.expand_dims(tf.ones([2, 3]), 5)
        """,
        "axis-out-of-range",
        (2, "tf.expand_dims(tf.ones([2, 3]), 5)"),
        {"tf.ones([2, 3])": "float32 (2, 3)"},
        "a new one cannot be at 5",
        "-3 to 2",
    ),
    "an order of axes": (
        """
        x = tf.ones([3])
        y = tf.transpose(x, [1, 0])
        """,
        "axis-out-of-range",
        (3, "tf.transpose(x, [1, 0])"),
        {"x": "float32 (3,)"},
        "`x` has 1 axis, shape (3,), but perm names 2",
        "perm names each axis",
    ),
    "a lookup": (
        """
        table = tf.ones([10, 4])
        v = tf.nn.embedding_lookup(table, [1, 10])
        """,
        "index-out-of-range",
        (3, "tf.nn.embedding_lookup(table, [1, 10])"),
        {"table": "float32 (10, 4)"},
        "the index 10 of `[1, 10]` lies outside axis 0 of `table`, which has 10 elements",
        "indices run from 0 to 9: what counts from 1 needs one less",
    ),
    "an item": (
        """
        x = tf.ones([4, 2])
        y = x[1, 5]
        """,
        "index-out-of-range",
        (3, "x[1, 5]"),
        {"x": "float32 (4, 2)"},
        "the index 5 lies outside axis 1 of `x`, which has 2 elements",
        "indices run from 0 to 1",
    ),
    "too many indices": (
        """
        x = tf.ones([4, 2])
        y = x[0, 1, 1]
        """,
        "index-out-of-range",
        (3, "x[0, 1, 1]"),
        {"x": "float32 (4, 2)"},
        "`x` has 2 axes, shape (4, 2), and is given more indices than that",
        "give 2 of them at most",
    ),
    "a sparse gradient before a number": (
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        step = 0.1 * g
        """,
        "sparse-gradient-arithmetic",
        (6, "0.1 * g"),
        {"g": "float32 (4, 2)"},
        "`g` is a tf.IndexedSlices",
        "tf.convert_to_tensor(g), or work with g.values and g.indices",
    ),
    "a method of a sparse gradient": (
        """
        table = tf.Variable(tf.ones([4, 2]))
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, [0, 3]))
        g = tape.gradient(y, table)
        print(g.numpy())
        """,
        "sparse-gradient-arithmetic",
        (6, "g.numpy"),
        {"g": "float32 (4, 2)"},
        "`g` is a tf.IndexedSlices",
        "tf.convert_to_tensor(g)",
    ),
    "batch_jacobian without a batch": (
        """
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as recording:
            y = x * x
        j = recording.batch_jacobian(y, x)
        """,
        "shape-mismatch",
        (5, "recording.batch_jacobian(y, x)"),
        {"y": "float32 (2,)", "x": "float32 (2,)"},
        "`y` has shape (2,) and `x` has shape (2,)",
        "recording.jacobian(y, x)",
    ),
    "a None": (
        """
        def loss():
            tf.ones(2)
        y = tf.reduce_sum(loss())
        """,
        "invalid-argument",
        (4, "tf.reduce_sum(loss())"),
        {},
        "`loss()` is None, not a tensor",
        "see that the function returns it",
    ),
    "a truth value": (
        """
        x = tf.ones([2])
        if x > 0.5:
            y = 1
        """,
        "invalid-argument",
        (3, "x > 0.5"),
        {"x > 0.5": "bool (2,)"},
        "`x > 0.5` has shape (2,)",
        "tf.reduce_all(x > 0.5)",
    ),
    "a statement's truth value": (
        """
        x = tf.ones([2])
        while x:
            y = 1
        """,
        "invalid-argument",
        (3, "x"),
        {"x": "float32 (2,)"},
        "`x` has shape (2,)",
        "tf.reduce_any(x)",
    ),
    "a number": (
        """
        x = tf.ones([2])
        y = float(x)
        """,
        "invalid-argument",
        (3, "float(x)"),
        {"x": "float32 (2,)"},
        "`x` has shape (2,): it is no single number",
        "tf.reduce_mean(x)",
    ),
    "a source in NumPy": (
        """
        w, rates = tf.Variable([1.0]), np.ones(1)
        with tf.GradientTape() as recording:
            y = w * rates.astype("float32")
        recording.gradient(y, [w, rates])
        """,
        "source-not-a-tensor",
        (5, "recording.gradient(y, [w, rates])"),
        {"y": "float32 (1,)", "w": "float32 (1,)", "rates": "float64 (1,)"},
        "`rates` is a NumPy array",
        "recording.watch(tf.constant(rates))",
    ),
    "no sources": (
        """
        w = tf.Variable([1.0])
        with tf.GradientTape() as tape:
            y = w * w
        tape.gradient(y, None)
        """,
        "source-not-a-tensor",
        (5, "tape.gradient(y, None)"),
        {"y": "float32 (1,)"},
        "the source is None",
        "give variables",
    ),
    "a list for a variable": (
        """
        w = tf.Variable([1.0, 2.0, 3.0])
        w.assign([1.0, 2.0])
        """,
        "shape-mismatch",
        (3, "w.assign([1.0, 2.0])"),
        {"w": "float32 (3,)"},
        "`w` has shape (3,), and `[1.0, 2.0]` has (2,)",
        "give it a value of shape (3,)",
    ),
    "an array on the left": (
        """
        y = np.ones(3) * tf.ones([2])
        """,
        "shape-mismatch",
        (2, "np.ones(3) * tf.ones([2])"),
        {"np.ones(3)": "float64 (3,)", "tf.ones([2])": "float32 (2,)"},
        "`np.ones(3)` (3,) and `tf.ones([2])` (2,) do not broadcast",
        "sizes must be equal or 1",
    ),
    "a comparison from the right": (
        """
        y = np.ones(3, "f4") > tf.ones([2])
        """,
        "shape-mismatch",
        (2, 'np.ones(3, "f4") > tf.ones([2])'),
        {"np.ones(3, 'f4')": "float32 (3,)", "tf.ones([2])": "float32 (2,)"},
        "do not broadcast: at the last axis 2 meets 3",
        "sizes must be equal or 1",
    ),
    "an op that Python calls": (
        """
        import functools
        y = functools.reduce(tf.add, [tf.ones(2), tf.ones(3)])
        """,
        "shape-mismatch",
        (3, "functools.reduce(tf.add, [tf.ones(2), tf.ones(3)])"),
        {"x": "float32 (2,)", "y": "float32 (3,)"},
        "`x` (2,) and `y` (3,) do not broadcast",
        "sizes must be equal or 1",
    ),
    "an op under another name": (
        """
        multiply = tf.matmul
        y = multiply(b=tf.ones([2, 3]), a=tf.ones([4, 2, 5]))
        """,
        "shape-mismatch",
        (3, "multiply(b=tf.ones([2, 3]), a=tf.ones([4, 2, 5]))"),
        {"tf.ones([2, 3])": "float32 (2, 3)", "tf.ones([4, 2, 5])": "float32 (4, 2, 5)"},
        "`tf.ones([4, 2, 5])` (4, 2, 5) has 5 at its last axis, `tf.ones([2, 3])` (2, 3) has 2",
        "tf.matmul(tf.ones([4, 2, 5]), tf.ones([2, 3]), transpose_a=True)",
    ),
    "operands from a list": (
        """
        pair = [tf.ones([2, 3]), tf.ones([2, 3])]
        y = tf.matmul(*pair)
        """,
        "shape-mismatch",
        (3, "tf.matmul(*pair)"),
        {"a": "float32 (2, 3)", "b": "float32 (2, 3)"},
        "`a` (2, 3) has 3 at its last axis",
        "transpose_b=True",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_said(name, tmp_path):
    text, kind, place, shapes, sentence, help = CASES[name]
    (cause,) = raised(text, tmp_path, np=np)
    assert (cause.kind, (cause.site.line, cause.site.text), cause.shapes) == (kind, place, shapes)
    assert (cause.site.role, cause.symptom, cause.likely) in {
        ("failed here", "exception", False),
        ("used as a dense tensor here", "exception", False),
    }
    assert sentence in cause.sentence
    assert help in cause.help


@pytest.mark.parametrize("name", CASES)
def test_plain_python_shows_it(name, tmp_path):
    text, _, (_, written), shapes, _, help = CASES[name]
    with pytest.raises(Exception) as caught:
        run(text, tmp_path / "program.py", np=np)
    assert isinstance(caught.value, Explained)
    shown = " ".join("".join(traceback.format_exception(caught.value)).replace("│", " ").split())
    assert written in shown
    assert "^^^" in shown or len(written) < 3
    for each in shapes.values():
        assert each in shown
    assert help.split(":")[0] in shown


@pytest.mark.parametrize(
    ("value", "help"),
    [("tf.ones([2])", "tf.tensor_scatter_nd_update(x, indices, updates)"), ("tf.Variable([1.0])", "x[0].assign(...)")],
)
def test_assigning_to_an_element(value, help, tmp_path):
    (cause,) = raised(f"x = {value}\nx[0] = 3.0\n", tmp_path)
    assert told(cause) == ("invalid-argument", [(2, "x[0]", "assigned to here")], {})
    assert help in cause.help


def test_the_operand_to_change_is_shown_where_it_was_made(tmp_path):
    (cause,) = raised("w = tf.Variable([1.0])\nx = tf.constant([1])\ny = w * x\n", tmp_path)
    assert told(cause) == (
        "dtype-mismatch",
        [(3, "w * x", "failed here"), (2, "tf.constant([1])", "made here")],
        {"w": "float32 (1,)", "x": "int32 (1,)"},
    )


def test_the_library_is_called_as_the_program_calls_it(tmp_path):
    text = "import whygrad as wg\nw = wg.Variable([1.0])\nx = wg.constant([1])\ny = w * x\n"
    (cause,) = raised(text, tmp_path)
    assert "wg.cast(x, wg.float32)" in cause.help
    assert "tf." not in cause.help


def test_a_warning_calls_the_library_so_too(tmp_path):
    text = """
        import whygrad as wg
        x = wg.constant(1.0)
        with wg.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        """
    (cause,) = warned(text, tmp_path)
    assert cause.kind == "source-not-watched"
    assert "wg.Variable" in cause.help


def test_a_list_whose_parts_are_not_all_tensors(tmp_path):
    (cause,) = raised("a = tf.ones([2, 3])\ny = tf.concat(axis=0, values=[[[1.0]], a])\n", tmp_path)
    assert (cause.site.line, cause.site.text) == (2, "tf.concat(axis=0, values=[[[1.0]], a])")
    assert cause.shapes["a"] == "float32 (2, 3)"


def test_what_a_none_led_to_is_left_to_the_none(tmp_path):
    text = """
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            y = x * x
        g = tape.gradient(y, x)
        x = x - tf.reduce_sum(g)
        """
    with tracing() as trace:
        assert raised(text, tmp_path) == []
    assert [cause.kind for cause in trace.findings] == ["source-not-watched"]


# -- all that can go wrong in the table of ops --


@pytest.mark.parametrize("case", BAD_INPUT, ids=str)
def test_every_refusal_has_its_place_and_its_operands(case):
    with pytest.raises(Exception) as caught:
        case.function(tf)
    if caught.traceback[-1].path == pathlib.Path(case.function.__code__.co_filename):
        return  # raised by a function of the row's own
    (cause,) = caught.value.causes
    function = case.function
    assert cause.site.file == function.__code__.co_filename
    assert cause.site.line >= function.__code__.co_firstlineno
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


def test_no_error_of_an_op_goes_without_causes():
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


# -- the right line wherever Python knows it, and never an exception from the explaining --

FAILS = """
    x, y = tf.ones([2]), tf.ones([3])
    z = x + y
"""


def _caused(function):
    with pytest.raises(Explained) as caught:
        function()
    (cause,) = caught.value.causes
    assert "help: " in "".join(traceback.format_exception(caught.value))
    return cause


def test_a_source_without_a_file():
    cause = _caused(lambda: run(FAILS))
    assert (cause.kind, cause.site.file, cause.site.line, cause.site.text) == ("shape-mismatch", "<nowhere>", 3, "")
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}


def test_a_method_without_a_source():
    cause = _caused(lambda: run("w = tf.Variable([1.0])\nw.assign([1.0, 2.0] * tf.ones(2))\n"))
    assert cause.shapes == {"variable": "float32 (1,)", "value": "float32 (2,)"}


def test_the_interactive_interpreter():
    class Shell(code.InteractiveInterpreter):
        def showtraceback(self):
            self.error = sys.exception() if sys.version_info >= (3, 12) else sys.exc_info()[1]

    shell = Shell({"tf": tf})
    for line in textwrap.dedent(FAILS).strip().splitlines():
        shell.runsource(line + "\n", "<stdin>")
    (cause,) = shell.error.causes
    assert (cause.kind, cause.site.file, cause.site.line) == ("shape-mismatch", "<stdin>", 1)
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}


def test_a_notebooks_cell(tmp_path):
    import linecache

    source = textwrap.dedent(FAILS)
    name = "<ipython-input-3-cell>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        cause = _caused(lambda: exec(compile(source, name, "exec"), {"tf": tf}))
    finally:
        del linecache.cache[name]
    assert (cause.site.file, cause.site.line, cause.site.text) == (name, 3, "x + y")


def test_a_source_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "library.zip", "w") as archive:
        archive.writestr("zipped_sum.py", "def total(x, y):\n    return x + y\n")
    monkeypatch.syspath_prepend(str(tmp_path / "library.zip"))
    monkeypatch.delitem(sys.modules, "zipped_sum", raising=False)
    import zipped_sum

    cause = _caused(lambda: zipped_sum.total(tf.ones(2), tf.ones(3)))
    assert cause.site.file.endswith("zipped_sum.py")
    assert (cause.site.line, cause.shapes) == (2, {"x": "float32 (2,)", "y": "float32 (3,)"})


@pytest.mark.parametrize("edit", ["# a line more\n{}", "def (:\n", ""])
def test_a_source_that_was_edited_or_is_gone(edit, tmp_path):
    path = tmp_path / "program.py"
    source = textwrap.dedent(FAILS)
    compiled = compile(source, str(path), "exec")
    path.write_text(edit.format(source.replace("x + y", "a * b")), encoding="utf-8")
    cause = _caused(lambda: exec(compiled, {"tf": tf}))
    assert (cause.kind, cause.site.line, cause.site.text) == ("shape-mismatch", 3, "")
    assert list(cause.shapes.values()) == ["float32 (2,)", "float32 (3,)"]


ODD = {
    "a lambda": ("f = lambda v: v @ v\nf(tf.ones([2, 3]))\n", 1, "v @ v"),
    "a comprehension": ("z = [v + tf.ones(3)\n     for v in [tf.ones(2)]]\n", 1, "v + tf.ones(3)"),
    "several lines": ("z = tf.matmul(\n    tf.ones([2, 3]),\n    tf.ones([2, 3]),\n)\n", 1, "tf.matmul( tf.ones([2, 3]), tf.ones([2, 3]), )"),
    "a decorated function": (
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def wrapper(*args):\n        return f(*args)\n"
        "    return wrapper\n@logged\n@logged\ndef model(v):\n    return v + tf.ones(3)\nmodel(tf.ones(2))\n",
        10,
        "v + tf.ones(3)",
    ),
    "a generator": ("def stages(v):\n    yield v\n    yield v + tf.ones(3)\nlist(stages(tf.ones(2)))\n", 3, "v + tf.ones(3)"),
    "a coroutine": (
        "import asyncio\nasync def model(v):\n    await asyncio.sleep(0)\n    return v + tf.ones(3)\n"
        "asyncio.run(model(tf.ones(2)))\n",
        4,
        "v + tf.ones(3)",
    ),
    "a deep stack": ("def down(n, v):\n    return v + tf.ones(3) if n == 0 else down(n - 1, v)\ndown(300, tf.ones(2))\n", 2, "v + tf.ones(3)"),
    "letters beyond ASCII": ('größe, 日本 = tf.ones(2), "漢字 😀"\nz = "😀", größe + tf.ones(3)\n', 2, "größe + tf.ones(3)"),
    "a class body": ("class Setup:\n    z = tf.ones(2) + tf.ones(3)\n", 2, "tf.ones(2) + tf.ones(3)"),
    "a mapped function": ("tf.map_fn(lambda v: tf.reshape(v, [5]), tf.ones([2, 2]))\n", 1, "tf.reshape(v, [5])"),
    "a chain of methods": (
        "class Chain:\n    def __init__(self, v):\n        self.v = v\n    def plus(self):\n        return self.v + tf.ones(3)\n"
        "(Chain(tf.ones(2))\n    .plus())\n",
        5,
        "self.v + tf.ones(3)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_odd_code(name, tmp_path):
    source, line, text = ODD[name]
    cause = _caused(lambda: run(source, tmp_path / "program.py"))
    assert (cause.site.line, cause.site.text) == (line, text)
    assert len(cause.shapes) >= 1


def test_a_name_that_was_given_another_value_since(tmp_path):
    text = """
        x, y = tf.ones([2]), tf.ones([3])
        try:
            x + y
        except tf.errors.InvalidArgumentError as error:
            x = y = None
            causes = error.causes
        """
    (cause,) = run(text, tmp_path / "program.py")["causes"]
    assert cause.shapes == {"x": "float32 (2,)", "y": "float32 (3,)"}


def test_a_caught_error_costs_no_explanation(monkeypatch):
    def explains(*args):
        raise AssertionError("explained though nobody asked")

    monkeypatch.setattr("whygrad.why.causes.exceptions.causes_of", explains)
    with pytest.raises(ValueError, match="must have the same shape"):
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([4]), logits=tf.ones([4, 1]))


@pytest.mark.parametrize(
    "broken", ["whygrad.why.evidence.failed_op.FailedOp._given", "whygrad.why.causes.refused_operands._explained"]
)
def test_the_error_stands_when_explaining_fails(broken, monkeypatch):
    def fails(*args):
        raise RuntimeError("a flaw in the explanation")

    from whygrad.view import notice

    monkeypatch.setattr(notice, "strict", False)
    monkeypatch.setattr(broken, fails)
    with pytest.raises(ValueError, match="must have the same shape") as caught:
        tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones([4]), logits=tf.ones([4, 1]))
    assert caught.value.causes == []
    assert "must have the same shape" in "".join(traceback.format_exception(caught.value))


def test_what_is_trained_has_the_dtype_that_is_meant(tmp_path):
    """The odd one of float32 and float64 is the one that no variable led to, whichever it is."""
    (cause,) = raised(
        """
        k = tf.Variable(0.5, dtype=tf.float64)
        h = tf.constant(0.1)
        with tf.GradientTape() as tape:
            a = -k * 2.0
            v = h * a
        """,
        tmp_path,
    )
    assert (cause.kind, cause.sentence) == ("dtype-mismatch", "`h` is float32 and `a` is float64")
    assert "tf.cast(h, tf.float64)" in cause.help
    assert [(site.line, site.text) for site in cause.sites] == [(6, "h * a"), (3, "tf.constant(0.1)")]
    (cause,) = raised(
        """
        w = tf.Variable([0.5])
        x = tf.constant([1.0], tf.float64)
        with tf.GradientTape() as tape:
            y = x * (w * 2.0)
        """,
        tmp_path,
    )
    assert "tf.cast(x, tf.float32)" in cause.help
