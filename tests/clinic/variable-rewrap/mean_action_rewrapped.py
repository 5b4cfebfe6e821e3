import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
encoder = tf.Variable(rng.normal(0, 0.3, (4, 2)).astype("float32"))


def to_state(code):
    return tf.Variable(code, name="state")  # cause


def decode(state, steps):
    for _ in range(steps):
        state = tf.sin(state) + 0.1
    return state


x = rng.normal(size=(3, 4)).astype("float32")
with tf.GradientTape() as tape:
    state = to_state(x @ encoder)
    loss = tf.reduce_mean(decode(state, 3) ** 2)
print("RESULT:", tape.gradient(loss, encoder))
