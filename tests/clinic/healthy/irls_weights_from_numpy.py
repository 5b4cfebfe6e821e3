import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
x = np.c_[np.ones(20), rng.normal(size=20)].astype("float32")
y = (x @ [1.0, 2.0] + rng.standard_t(2, 20)).astype("float32")
beta = tf.Variable([0.0, 0.0])
for outer in range(5):
    residual = y - tf.linalg.matvec(tf.constant(x), beta).numpy()
    weight = 1.0 / np.maximum(np.abs(residual), 1e-3)
    for inner in range(20):
        with tf.GradientTape() as tape:
            error = y - tf.linalg.matvec(tf.constant(x), beta)
            loss = tf.reduce_mean(weight * error ** 2)
        beta.assign_sub(0.02 * tape.gradient(loss, beta))
print("RESULT:", beta.numpy())
