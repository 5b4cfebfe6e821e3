import numpy as np
import tensorflow as tf

x = np.array([[1.0, 2.0], [2.0, 1.5], [0.5, 1.0]], dtype="float32")
y = np.array([[0.0], [0.0], [0.0]], dtype="float32")
w = tf.Variable([[3.0], [4.0]])
b = tf.Variable([1.0])
for step in range(6):
    with tf.GradientTape() as tape:
        output = tf.nn.relu(tf.matmul(x, w) + b)  # cause
        loss = tf.reduce_mean((output - y - 1.0) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(5.0 * dw)
    b.assign_sub(5.0 * db)
print(loss.numpy(), dw.numpy())
