import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
a, b = [tf.Variable(rng.normal(size=3).astype("float32")) for _ in range(2)]
x = tf.constant([1.0, 2.0, 3.0])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((a * x) ** 2) if step % 2 == 0 else tf.reduce_sum((b * x) ** 2)
        loss = loss + 0.0 * (tf.reduce_sum(a) + tf.reduce_sum(b))
    for v, g in zip([a, b], tape.gradient(loss, [a, b])):
        v.assign_sub(0.01 * g)
print("RESULT:", loss.numpy())
