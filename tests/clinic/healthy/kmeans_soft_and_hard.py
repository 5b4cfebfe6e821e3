import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
points = tf.constant(rng.normal(size=(30, 2)).astype("float32"))
centres = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
for _ in range(4):
    with tf.GradientTape() as tape:
        d2 = tf.reduce_sum((points[:, None] - centres) ** 2, axis=2)
        nearest = tf.argmin(d2, axis=1)
        loss = tf.reduce_mean(tf.gather(d2, nearest, batch_dims=1))
    centres.assign_sub(0.5 * tape.gradient(loss, centres))
inertia = float(loss)
print("RESULT:", inertia, np.bincount(nearest.numpy(), minlength=3))
