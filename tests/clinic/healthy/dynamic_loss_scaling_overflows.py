import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = rng.normal(size=(16, 4)).astype("float16")
y = rng.normal(size=(16, 1)).astype("float16")
w = tf.Variable(rng.normal(0, 0.3, (4, 1)).astype("float32"))
scale, skipped = 2.0 ** 24, 0
for step in range(30):
    with tf.GradientTape() as tape:
        pred = tf.matmul(x, tf.cast(w, tf.float16))
        loss = tf.reduce_mean((pred - y) ** 2)
        scaled = loss * tf.cast(scale, tf.float16)
    grad = tape.gradient(scaled, w) / scale
    if not bool(tf.reduce_all(tf.math.is_finite(grad))):
        scale /= 2.0
        skipped += 1
        continue
    w.assign_sub(0.1 * grad)
print("RESULT:", loss.numpy(), scale, skipped)
