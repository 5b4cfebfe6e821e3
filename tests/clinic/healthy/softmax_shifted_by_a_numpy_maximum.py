import numpy as np
import tensorflow as tf

z = tf.Variable([1.0, 3.0, -2.0])
with tf.GradientTape() as tape:
    top = np.max(z.numpy())
    e = tf.exp(z - top)
    log_p = z - top - tf.math.log(tf.reduce_sum(e))
    loss = -log_p[0]
print(tape.gradient(loss, z).numpy())
