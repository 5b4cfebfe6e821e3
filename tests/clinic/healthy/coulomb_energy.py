import numpy as np
import tensorflow as tf

positions = tf.Variable(np.random.default_rng(15).normal(size=(5, 3)).astype("float32"))
off_diagonal = 1.0 - np.eye(5, dtype="float32")
with tf.GradientTape() as tape:
    gap = tf.expand_dims(positions, 0) - tf.expand_dims(positions, 1)
    squared = tf.reduce_sum(gap**2, axis=-1) + tf.eye(5)
    energy = 0.5 * tf.reduce_sum(off_diagonal / tf.sqrt(squared))
print((-tape.gradient(energy, positions)).numpy())
