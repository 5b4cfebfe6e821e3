import numpy as np
import tensorflow as tf

tf.random.set_seed(48)
rng = np.random.default_rng(48)
x = tf.constant(rng.normal(size=(12, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(12,)).astype("float32"))
w = tf.Variable(tf.zeros([3]))
for _ in range(5):
    with tf.GradientTape(persistent=True) as tape:
        losses = (tf.linalg.matvec(x, w) - y) ** 2
    jac = tape.jacobian(losses, w)
    norms = tf.norm(jac, axis=1, keepdims=True)
    clipped = jac * tf.minimum(1.0, 1.0 / (norms + 1e-9))
    noisy = tf.reduce_mean(clipped, 0) + tf.random.normal([3], stddev=0.01)
    w.assign_sub(0.2 * noisy)
    del tape
print("RESULT:", w.numpy())
