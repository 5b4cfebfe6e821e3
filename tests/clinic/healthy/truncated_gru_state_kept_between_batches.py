"""Truncated backpropagation: the state of the last chunk enters the next one as a constant, on purpose."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
w = tf.Variable(rng.normal(0, 0.3, (5, 4)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
stream = rng.normal(size=(40, 1)).astype("float32")


class Stateful:
    def __init__(self):
        self.h = tf.zeros((1, 4))

    def run(self, chunk):
        outputs = []
        for value in chunk:
            self.h = tf.tanh(tf.concat([tf.reshape(value, (1, 1)), self.h], 1) @ w)
            outputs.append(self.h @ out)
        return tf.concat(outputs, 0)


cell = Stateful()
for start in range(0, 32, 8):
    with tf.GradientTape() as tape:
        predicted = cell.run(stream[start : start + 8])
        loss = tf.reduce_mean((predicted - stream[start + 1 : start + 9]) ** 2)
    dw, dout = tape.gradient(loss, [w, out])
    w.assign_sub(0.1 * dw)
    out.assign_sub(0.1 * dout)
    cell.h = tf.stop_gradient(cell.h)
    print(loss.numpy())
