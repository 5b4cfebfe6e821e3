import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(size=(20, 3)).astype("float32")
y = (x @ np.array([[1.0], [2.0], [3.0]])).astype("float32")
w = tf.Variable(tf.zeros([3, 1]))
history = []
for step in range(5):
    with tf.GradientTape() as tape:
        predicted = x @ w
        loss = tf.reduce_mean((predicted - y) ** 2)
        print(step, loss.numpy(), f"{float(loss):.3f}", np.abs(predicted).max())
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    history.append(float(loss))
    if history[-1] < 1e-3:
        break
print(history)
