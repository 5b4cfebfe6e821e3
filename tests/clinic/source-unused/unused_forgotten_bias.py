import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)


class Dense:
    def __init__(self, n, m):
        self.kernel = tf.Variable(rng.normal(size=(n, m)).astype("float32"))
        self.bias = tf.Variable(tf.zeros([m]))  # cause

    def __call__(self, x):
        return tf.nn.relu(tf.matmul(x, self.kernel))  # cause


layer = Dense(3, 2)
x = rng.normal(size=(5, 3)).astype("float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(layer(x) ** 2)
grads = tape.gradient(loss, [layer.kernel, layer.bias])  # cause
print(grads)
