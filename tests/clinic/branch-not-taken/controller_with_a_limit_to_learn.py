"""A controller whose steps are halved until they are within a limit. Gain and limit are to be learned."""

import tensorflow as tf


class Controller(tf.Module):
    def __init__(self):
        self.gain = tf.Variable(0.5)
        self.limit = tf.Variable(1.2)

    def act(self, error):
        size, bound = abs(float(error)), self.limit.numpy()
        while size > bound:  # cause
            error = error * 0.5
            size = abs(float(error))
        return self.gain * error


controller = Controller()
with tf.GradientTape() as tape:
    x = tf.constant(5.0)
    for _ in range(4):
        x = x - controller.act(x)
    cost = x * x
gradients = tape.gradient(cost, controller.trainable_variables)
for variable, gradient in zip(controller.trainable_variables, gradients):
    if gradient is not None:
        variable.assign_sub(0.01 * gradient)
print(controller.gain.numpy(), controller.limit.numpy(), gradients)
