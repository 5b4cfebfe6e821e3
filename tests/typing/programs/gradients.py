"""Gradients have the structure of their sources. They may be None or sparse; what is done with them need not prove otherwise."""

from collections.abc import Callable

import whygrad as tf


class Model(tf.Module):
    def __init__(self) -> None:
        super().__init__(name="model")
        self.w = tf.Variable(tf.zeros([3, 1]))

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        return tf.matmul(x, self.w)


model = Model()
x = tf.ones([2, 3])
with tf.GradientTape(persistent=True) as tape:
    reveal_type(tape)  # T: GradientTape
    loss = tf.reduce_mean(tf.square(model(x)))

g = tape.gradient(loss, model.w)
reveal_type(g)  # T: Tensor | Any
model.w.assign_sub(0.1 * g)
if g is not None:
    reveal_type(g.shape)  # T: TensorShape | Any
g.shpae  # E

reveal_type(tape.gradient(loss, [model.w, x]))  # T: list[Tensor | Any]
reveal_type(tape.gradient(loss, (model.w, x)))  # T: tuple[Tensor | Any, ...]
reveal_type(tape.gradient(loss, {"w": model.w}))  # T: dict[str, Tensor | Any]
reveal_type(tape.jacobian(loss, model.w))  # T: Tensor | Any
reveal_type(tape.jacobian(loss, [model.w]))  # T: list[Tensor | Any]
reveal_type(tape.batch_jacobian(x, x))  # T: Tensor
tape.gradient(loss)  # E
tape.gradient(loss, model.w, unconnected="zero")  # E

reveal_type(model.trainable_variables)  # T: tuple[Variable, ...]
for gradient, variable in zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables):
    variable.assign_sub(0.1 * gradient)


@tf.custom_gradient
def clipped(value: tf.Tensor, low: float = 0.0) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    return tf.maximum(value, low), lambda upstream: upstream


reveal_type(clipped(x))  # T: Tensor
clipped(x, low="0")  # E
clipped(x, 0.0, 1.0)  # E
reveal_type(tf.grad_pass_through(clipped)(x, 0.5))  # T: Tensor
reveal_type(tf.recompute_grad(model)(x))  # T: Tensor
