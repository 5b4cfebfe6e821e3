import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
data = rng.normal(size=(30, 2)).astype("float32")
targets = (data @ np.array([[2.0], [-1.0]])).astype("float32")
w = tf.Variable(tf.zeros([2, 1]))
batch_x, batch_y = data[:10], targets[:10]


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.matmul(batch_x, w) - batch_y) ** 2)  # cause
    g = tape.gradient(loss, w)
    w.assign_sub(0.1 * g)
    return g


for epoch in range(2):
    for start in range(0, 30, 10):
        batch_x, batch_y = data[start:start + 10], targets[start:start + 10]
        g = step()
print("RESULT:", g.numpy().ravel())
