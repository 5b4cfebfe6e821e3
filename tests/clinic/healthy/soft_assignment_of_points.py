import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
points = tf.constant(rng.normal(size=(9, 2)).astype("float32"))
centres = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
with tf.GradientTape() as tape:
    d = tf.reduce_sum((points[:, None] - centres[None]) ** 2, axis=-1)
    share = tf.nn.softmax(-d, axis=1)
    loss = tf.reduce_mean(tf.reduce_sum(share * d, axis=1))
print(tape.gradient(loss, centres).numpy())
