import numpy as np
import tensorflow as tf

table = np.array([[1.0, 2.0, 3.0], [4.0, np.nan, 6.0], [7.0, 8.0, 9.0], [1.0, 0.5, 0.2]], "float32")  # cause
dataset = tf.data.Dataset.from_tensor_slices(table).batch(2)  # cause
w = tf.Variable([[0.1], [0.2]])
for batch in dataset:
    with tf.GradientTape() as tape:
        pred = batch[:, :2] @ w  # cause
        loss = tf.reduce_mean((pred - batch[:, 2:]) ** 2)
    g = tape.gradient(loss, w)
    w.assign_sub(0.01 * g)
print("RESULT:", w.numpy().ravel())
