import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
w = tf.Variable(rng.normal(size=(5, 3)).astype("float32") * 0.3)
out = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
series = np.sin(np.arange(41) / 4).astype("float32")
h = np.zeros((1, 3), "float32")
for start in range(0, 40, 8):
    with tf.GradientTape() as tape:
        state, loss = tf.constant(h), 0.0
        for t in range(start, start + 8):
            inp = tf.concat([state, [[series[t], 1.0]]], axis=1)
            state = tf.tanh(inp @ w)
            loss += tf.reduce_mean((state @ out - series[t + 1]) ** 2) / 8.0
    for v, g in zip([w, out], tape.gradient(loss, [w, out])):
        v.assign_sub(0.1 * g)
    h = state.numpy()
print("RESULT:", float(loss))
