import numpy as np
import tensorflow as tf
w = tf.Variable(np.full((3, 2), 30.0, dtype="float32") * np.array([1.0, -1.0], dtype="float32"))
x = tf.constant([[1.0, 1.0, 1.0]])
labels = tf.constant([1])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(x @ w)
    picked = tf.gather(p, labels, axis=1, batch_dims=0)
    loss = -tf.reduce_mean(tf.math.log(picked))  # cause
print(tape.gradient(loss, w))
