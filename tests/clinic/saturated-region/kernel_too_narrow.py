import numpy as np
import tensorflow as tf

x = np.array([0.0, 1.0, 2.0], dtype="float32")
centre = tf.Variable(60.0)
with tf.GradientTape() as tape:
    bump = tf.exp(-((x - centre) ** 2))  # cause
    loss = tf.reduce_sum((bump - 1.0) ** 2)
print(tape.gradient(loss, centre).numpy())
