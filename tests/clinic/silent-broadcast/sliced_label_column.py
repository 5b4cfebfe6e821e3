import numpy as np
import tensorflow as tf

table = tf.constant(np.random.default_rng(3).normal(size=(10, 4)).astype("float32"))
inputs, label = table[:, :3], table[:, 3:]
w = tf.Variable([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    score = tf.linalg.matvec(inputs, w)
    loss = tf.reduce_mean((score - label) ** 2)  # cause
print(tape.gradient(loss, w).numpy())
