import numpy as np
import tensorflow as tf

pred_w = tf.Variable([[0.2], [0.4]])
x = np.random.default_rng(0).normal(size=(6, 2)).astype("float32")
y = tf.constant(np.arange(6.0), dtype=tf.float32)

def huber(y_true, y_pred, delta=1.0):
    error = y_true - y_pred  # cause
    small = tf.abs(error) <= delta
    return tf.where(small, 0.5 * error ** 2, delta * (tf.abs(error) - 0.5 * delta))

with tf.GradientTape() as tape:
    loss = tf.reduce_mean(huber(y, x @ pred_w))
print(tape.gradient(loss, pred_w))
