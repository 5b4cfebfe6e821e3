"""A function under `tf.function` keeps its signature."""

import whygrad as tf


@tf.function
def power(x: tf.Tensor, n: int = 2) -> tf.Tensor:
    return x**n


reveal_type(power(tf.constant(2.0)))  # T: Tensor
power(tf.constant(2.0), n=3)
power(tf.constant(2.0), "3")  # E
power(tf.constant(2.0), m=3)  # E
power()  # E
power.get_concrete_function(tf.TensorSpec([], tf.float32))
power.no_such_method()  # E


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(x)


reveal_type(total(tf.ones(3)))  # T: Tensor
total(tf.ones(3), 1)  # E


class Layer(tf.Module):
    @tf.function
    def apply(self, x: tf.Tensor, scale: float = 1.0) -> tuple[tf.Tensor, tf.Tensor]:
        return x * scale, x


layer = Layer()
reveal_type(layer.apply(tf.ones(3)))  # T: tuple[Tensor, Tensor]
layer.apply(tf.ones(3), scale="1")  # E
layer.apply()  # E

compiled = tf.function(lambda x: x + 1.0)
compiled(1.0)
