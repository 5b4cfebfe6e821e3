import numpy as np
import tensorflow as tf
rng = np.random.default_rng(0)
online, target = (tf.Variable(rng.normal(size=(4, 3)).astype("float32")) for _ in range(2))
x = rng.normal(size=(6, 4)).astype("float32")
for i in range(3):
    with tf.GradientTape() as tape:
        p = tf.math.l2_normalize(x @ online, axis=1)
        z = tf.stop_gradient(tf.math.l2_normalize(x @ target, axis=1))
        loss = 2.0 - 2.0 * tf.reduce_mean(tf.reduce_sum(p * z, axis=1))
    online.assign_sub(0.1 * tape.gradient(loss, online))
    target.assign(0.9 * target + 0.1 * online)
print(loss)
