import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
EXPERTS = 1
gate = tf.Variable(rng.normal(size=(4, EXPERTS)).astype("float32"), name="gate")
experts = [tf.Variable(rng.normal(size=(4, 2)).astype("float32")) for _ in range(EXPERTS)]
x = rng.normal(size=(7, 4)).astype("float32")
y = rng.normal(size=(7, 2)).astype("float32")


def route(x):
    return tf.nn.softmax(x @ gate, axis=-1)  # cause


def mixture(x):
    outputs = tf.stack([x @ e for e in experts], axis=1)
    return tf.einsum("be,beo->bo", route(x), outputs)


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((mixture(x) - y) ** 2)
print("RESULT:", tape.gradient(loss, gate).numpy().ravel())
