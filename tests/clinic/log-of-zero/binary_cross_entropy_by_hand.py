import numpy as np
import tensorflow as tf

x = np.array([[30.0], [2.0], [-1.0]], dtype="float32")
y = np.array([[1.0], [1.0], [0.0]], dtype="float32")
w = tf.Variable([[3.0]])
b = tf.Variable([0.0])
with tf.GradientTape() as tape:
    p = tf.sigmoid(x @ w + b)
    loss = tf.reduce_mean(
        -y * tf.math.log(p) - (1.0 - y) * tf.math.log(1.0 - p)  # cause
    )
print([g.numpy() for g in tape.gradient(loss, [w, b])])
