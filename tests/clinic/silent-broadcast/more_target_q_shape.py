import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
state = rng.normal(size=(16, 4)).astype("float32")
reward = rng.normal(size=(16,)).astype("float32")
critic = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
target_value = tf.constant(rng.normal(size=(16, 1)).astype("float32"))
target = reward + 0.99 * target_value  # cause
with tf.GradientTape() as tape:
    value = tf.squeeze(state @ critic, axis=1)
    loss = tf.reduce_mean((value - target) ** 2)
print(tape.gradient(loss, critic).numpy())
