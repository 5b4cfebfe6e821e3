import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
frame = {"x": rng.normal(size=(14, 3)).astype("float32"), "y": rng.normal(size=(14, 1)).astype("float32")}
w, b = tf.Variable(tf.zeros([3])), tf.Variable(0.0)


@tf.function
def loss_fn(x, y):
    prediction = tf.linalg.matvec(x, w) + b
    return tf.reduce_mean(tf.abs(prediction - y))  # cause


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(frame["x"], frame["y"])
    gw, gb = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * gw)
    b.assign_sub(0.1 * gb)
print("RESULT:", loss.numpy())
