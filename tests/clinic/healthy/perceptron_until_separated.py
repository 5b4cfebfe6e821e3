import numpy as np
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
y = tf.constant([1.0, 1.0, -1.0, -1.0])
w = tf.Variable([0.1, -0.3])
for step in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.relu(-y * tf.linalg.matvec(x, w)))
    w.assign_sub(0.5 * tape.gradient(loss, w))
print(w.numpy(), loss.numpy())
