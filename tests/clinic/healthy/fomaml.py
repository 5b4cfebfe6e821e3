import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
meta = [tf.Variable(rng.normal(0, 0.3, size=s).astype("float32")) for s in [(1, 6), (6, 1)]]


def predict(params, x):
    return tf.tanh(x @ params[0]) @ params[1]


def sine_task():
    phase = rng.uniform(0, 3)
    x = rng.uniform(-3, 3, size=(20, 1)).astype("float32")
    return x, np.sin(x + phase).astype("float32")


for it in range(3):
    x, y = sine_task()
    fast = [tf.identity(v) for v in meta]
    for _ in range(2):
        with tf.GradientTape() as inner:
            inner.watch(fast)
            loss = tf.reduce_mean((predict(fast, x[:10]) - y[:10]) ** 2)
        fast = [f - 0.05 * g for f, g in zip(fast, inner.gradient(loss, fast))]
    with tf.GradientTape() as outer:
        outer.watch(fast)
        query = tf.reduce_mean((predict(fast, x[10:]) - y[10:]) ** 2)
    for v, g in zip(meta, outer.gradient(query, fast)):
        v.assign_sub(0.01 * g)
print("RESULT:", float(query))
