import numpy as np
import tensorflow as tf

years = np.linspace(0.0, 1000.0, 20).astype("float32")
level = np.sin(years / 100.0).astype("float32")
powers = tf.range(16, dtype=tf.float32)
weights = tf.Variable(tf.zeros([16]))
with tf.GradientTape() as tape:
    features = tf.pow(years[:, None], powers)  # cause
    loss = tf.reduce_mean((tf.linalg.matvec(features, weights) - level) ** 2)
print("RESULT:", tape.gradient(loss, weights))
