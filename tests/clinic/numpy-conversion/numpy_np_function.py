import numpy as np
import tensorflow as tf

t = tf.Variable([0.1, 0.2, 0.3])
with tf.GradientTape() as tape:
    wave = np.sin(t * 2.0)  # cause
    loss = tf.reduce_sum(wave * 3.0)
print(tape.gradient(loss, t))
