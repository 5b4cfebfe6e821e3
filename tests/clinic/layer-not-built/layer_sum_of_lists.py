import numpy as np
import tensorflow as tf


class Layer:
    def __init__(self, width):
        self.width = width
        self.kernel = None

    def build(self, size):
        self.kernel = tf.Variable(tf.ones([size, self.width]) * 0.1)

    def __call__(self, x):
        if self.kernel is None:
            self.build(x.shape[-1])
        return tf.tanh(x @ self.kernel)

    @property
    def trainable_variables(self):
        return [] if self.kernel is None else [self.kernel]


hidden, output = Layer(4), Layer(1)
parameters = hidden.trainable_variables + output.trainable_variables  # cause
x = np.ones((5, 3), dtype="float32")
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(output(hidden(x)) ** 2)
    grads = tape.gradient(loss, parameters)  # cause
    for p, g in zip(parameters, grads):
        p.assign_sub(0.1 * g)
print(grads)
