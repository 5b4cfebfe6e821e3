import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)


class Memory:
    def __init__(self, slots, width):
        self.state = tf.Variable(tf.zeros([slots, width]), trainable=False)

    def write(self, slot, value):
        self.state.scatter_nd_update([[slot]], value[None])  # cause

    def read(self):
        return tf.reduce_mean(self.state, axis=0)


controller = tf.Variable(rng.normal(0, 0.5, (4, 3)).astype("float32"))
inputs = tf.constant(rng.normal(size=(5, 4)).astype("float32"))
memory = Memory(5, 3)
with tf.GradientTape() as tape:
    for t in range(5):
        memory.write(t, tf.tanh(tf.linalg.matvec(controller, inputs[t], transpose_a=True)))
    loss = tf.reduce_sum((memory.read() - 1.0) ** 2)
print("RESULT:", tape.gradient(loss, controller))
