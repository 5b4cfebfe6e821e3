import numpy as np
import tensorflow as tf
s = tf.Variable(np.random.default_rng(0).normal(size=(4, 5)).astype("float32"))
with tf.GradientTape() as tape:
    conf = tf.nn.softmax(s, axis=0) * tf.nn.softmax(s, axis=1)
    loss = -tf.reduce_mean(tf.math.log(conf + 1e-9))
print(tape.gradient(loss, s))
