import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)


def lstm_params(n, h):
    def weight(*shape):
        return tf.Variable(rng.normal(0, 0.2, shape).astype("float32"))

    return {"wi": weight(n + h, h), "wf": weight(n + h, h), "wo": weight(n + h, h), "wg": weight(n + h, h)}  # cause


def lstm_step(p, x, h, c):
    z = tf.concat([x, h], axis=1)
    i = tf.sigmoid(z @ p["wi"])
    f = tf.sigmoid(z @ p["wf"])
    o = tf.sigmoid(z @ p["wi"])  # cause
    c = f * c + i * tf.tanh(z @ p["wg"])
    return o * tf.tanh(c), c


params = lstm_params(3, 4)
x = tf.constant(rng.normal(size=(6, 5, 3)).astype("float32"))
with tf.GradientTape() as tape:
    h = c = tf.zeros([6, 4])
    for t in range(5):
        h, c = lstm_step(params, x[:, t], h, c)
    loss = tf.reduce_mean(h ** 2)
grads = tape.gradient(loss, params)
print("RESULT:", {k: None if g is None else float(tf.norm(g)) for k, g in grads.items()})
