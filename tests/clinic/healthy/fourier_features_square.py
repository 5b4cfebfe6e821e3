import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
t = tf.constant(np.linspace(0, 1, 8, dtype="float32")[:, None])
y = tf.constant(np.sin(6 * np.linspace(0, 1, 8)).astype("float32")[:, None])
frequencies = tf.Variable(rng.uniform(1, 10, 8).astype("float32"))
w = tf.Variable(rng.normal(0, 0.1, (16, 1)).astype("float32"))
for _ in range(20):
    with tf.GradientTape() as tape:
        phase = t * frequencies
        features = tf.concat([tf.sin(phase), tf.cos(phase)], axis=1)
        loss = tf.reduce_mean((features @ w - y) ** 2)
    gf, gw = tape.gradient(loss, [frequencies, w])
    frequencies.assign_sub(0.1 * gf)
    w.assign_sub(0.1 * gw)
print("RESULT:", loss.numpy())
