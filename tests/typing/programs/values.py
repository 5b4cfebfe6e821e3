"""Tensors, variables and shapes."""

import whygrad as tf

t = tf.constant([[1.0, 2.0]])
v = tf.Variable([1.0, 2.0], trainable=False)

reveal_type(t + 1.0)  # T: Tensor
reveal_type(2.0 * v)  # T: Tensor
reveal_type(v @ t)  # T: Tensor
reveal_type(-t)  # T: Tensor
reveal_type(t < 1.0)  # T: Tensor
reveal_type(t[0, ..., tf.newaxis])  # T: Tensor
reveal_type(t.shape)  # T: TensorShape
reveal_type(t.shape[1:])  # T: TensorShape
reveal_type(v.shape.rank)  # T: int | None
reveal_type(t.dtype)  # T: DType
reveal_type(t.dtype.is_floating)  # T: bool
range(t.shape[0])
t.shpae  # E
t.assign_adds(1.0)  # E

for row in t:
    reveal_type(row)  # T: Tensor
for element in v:
    reveal_type(element)  # T: Tensor

reveal_type(v.assign(t[0]))  # T: Variable
reveal_type(v.assign_add([1.0, 1.0]))  # T: Variable
reveal_type(v.read_value())  # T: Tensor
reveal_type(v.name)  # T: str
reveal_type(v.trainable)  # T: bool
v.trainable = True  # E
