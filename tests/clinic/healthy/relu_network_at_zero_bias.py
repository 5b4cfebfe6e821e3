import numpy as np
import tensorflow as tf

rng = np.random.default_rng(25)
x = np.abs(rng.normal(size=(20, 3))).astype("float32")
y = rng.normal(size=(20, 1)).astype("float32")
w1 = tf.Variable(rng.normal(0, 0.5, (3, 6)).astype("float32"))
w2 = tf.Variable(tf.zeros([6, 1]))
for _ in range(8):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ w1)
        loss = tf.reduce_mean((h @ w2 - y) ** 2)
    for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
