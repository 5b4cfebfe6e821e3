import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
x = np.sort(rng.random(12)).astype("float32")
y = tf.constant(np.sin(6 * x)[:, None].astype("float32"))
raw = {"length": tf.Variable(-1.0), "noise": tf.Variable(-2.0)}
for _ in range(3):
    with tf.GradientTape() as tape:
        length, noise = tf.nn.softplus(raw["length"]), tf.nn.softplus(raw["noise"])
        k = tf.exp(-0.5 * (x[:, None] - x[None]) ** 2 / length ** 2) + noise * tf.eye(12)
        chol = tf.linalg.cholesky(k)
        alpha = tf.linalg.cholesky_solve(chol, y)
        nll = 0.5 * tf.reduce_sum(y * alpha) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))
    grads = tape.gradient(nll, raw)
    for name in raw:
        raw[name].assign_sub(0.05 * grads[name])
print("RESULT:", float(nll))
