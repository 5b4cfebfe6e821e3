import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)


class MLP:
    def __init__(self):
        self.w1 = tf.Variable(rng.normal(size=(4, 4)).astype("float32"), name="w1")
        self.w2 = tf.Variable(rng.normal(size=(4, 4)).astype("float32"), name="w2")  # cause
        self.w3 = tf.Variable(rng.normal(size=(4, 1)).astype("float32"), name="w3")

    @property
    def trainable_variables(self):
        return [self.w1, self.w2, self.w3]

    def __call__(self, x):
        h = tf.nn.tanh(x @ self.w1)
        h = tf.nn.tanh(h @ self.w1)  # cause
        return h @ self.w3


mlp = MLP()
x = rng.normal(size=(8, 4)).astype("float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(mlp(x) ** 2)
grads = tape.gradient(loss, mlp.trainable_variables)  # cause
print([None if g is None else g.shape for g in grads])
