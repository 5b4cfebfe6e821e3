"""Ops: their arguments by TensorFlow's names, and what they return."""

import numpy as np

import whygrad as tf

x = tf.Variable([1.0, 2.0])

# An op made by `unary` or `binary` has a signature like any other.
reveal_type(tf.tanh(x))  # T: Tensor
tf.tanh(1, 2, 3, 4)  # E
tf.tanh(y=1.0)  # E
tf.tanh()  # E
tf.nn.relu(features=x)
tf.nn.relu(x=x)  # E
tf.math.polygamma(a=1.0, x=[1.0, 4.0])
tf.maximum(x, 0.0, name="clipped")

# What becomes a tensor is accepted, and other objects are not.
for like in (1, 2.0, 3j, True, [1.0, [2.0]], (1, 2), np.ones(3), np.float32(1), x, x + 1, "text"):
    tf.tanh(like)
tf.tanh({"a": 1.0})  # E
tf.tanh(None)  # E
tf.tanh(object())  # E

# Functions that are written as such.
reveal_type(tf.reshape(x, [2, 1]))  # T: Tensor
reveal_type(tf.reduce_sum(x, axis=0, keepdims=True))  # T: Tensor
reveal_type(tf.split(x, 2))  # T: list[Tensor]
reveal_type(tf.linalg.matmul(x, x, transpose_b=True))  # T: Tensor
tf.reduce_sum(x, axes=0)  # E

# Every namespace is known, at any depth, and names that are not there are mistakes.
reveal_type(tf.math.special.dawsn(x))  # T: Tensor
reveal_type(tf.random.normal([2]))  # T: Tensor
reveal_type(tf.range(3))  # T: Tensor
reveal_type(tf.float32)  # T: DType
reveal_type(tf.errors.OK)  # T: int
reveal_type(tf.experimental.numpy.sum(x))  # T: Tensor
tf.no_such_op  # E
tf.math.sinus  # E


def scaled(value: tf.TensorLike, by: tf.types.experimental.TensorLike = 2.0) -> tf.Tensor:
    return tf.multiply(value, by)


scaled([1.0], by=np.pi)
