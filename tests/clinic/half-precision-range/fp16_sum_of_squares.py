import numpy as np
import tensorflow as tf

x = tf.constant(np.linspace(-200, 200, 64).astype("float16"))
w = tf.Variable(tf.constant(2.0, tf.float16))
with tf.GradientTape() as tape:
    energy = tf.reduce_sum((w * x) ** 2)  # cause
print("RESULT:", tape.gradient(energy, w).numpy())
