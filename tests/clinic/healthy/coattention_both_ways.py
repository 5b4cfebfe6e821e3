import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
c, q = rng.normal(size=(2, 5, 4)).astype("float32"), rng.normal(size=(2, 3, 4)).astype("float32")
w = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"))
out = tf.Variable(rng.normal(0, 0.4, (12, 1)).astype("float32"))
for _ in range(3):
    with tf.GradientTape() as tape:
        s = tf.matmul(c @ w, q, transpose_b=True)
        c2q = tf.matmul(tf.nn.softmax(s, axis=2), q)
        q2c = tf.matmul(tf.nn.softmax(s, axis=2), tf.matmul(tf.nn.softmax(s, axis=1), c, transpose_a=True))
        h = tf.concat([c, c2q, q2c], axis=-1)
        loss = tf.reduce_mean((tf.reduce_mean(h @ out, axis=1) - 1.0) ** 2)
    for v, g in zip([w, out], tape.gradient(loss, [w, out])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
