import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
w = tf.Variable(rng.normal(0, 0.4, (4, 4)).astype("float32"))
gate = tf.Variable(0.0)
head = tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"))
x, y = rng.normal(size=(9, 4)).astype("float32"), rng.normal(size=(9, 1)).astype("float32")
for _ in range(5):
    with tf.GradientTape() as tape:
        h = x + gate * tf.nn.relu(x @ w)
        loss = tf.reduce_mean((h @ head - y) ** 2)
    for v, g in zip([w, gate, head], tape.gradient(loss, [w, gate, head])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy(), gate.numpy())
