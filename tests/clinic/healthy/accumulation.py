import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
w = tf.Variable(rng.normal(size=(4, 1)).astype("float32"))
total = [tf.Variable(tf.zeros_like(w), trainable=False)]
for micro in range(4):
    x = rng.normal(size=(8, 4)).astype("float32")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w) ** 2) / 4.0
    total[0].assign_add(tape.gradient(loss, w))
w.assign_sub(0.1 * total[0])
print(w.numpy())
