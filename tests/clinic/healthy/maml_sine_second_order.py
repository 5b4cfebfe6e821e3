import numpy as np
import tensorflow as tf

rng = np.random.default_rng(30)
sizes = [1, 8, 1]
params = []
for a, b in zip(sizes, sizes[1:]):
    params += [tf.Variable(rng.normal(0, 0.5, (a, b)).astype("float32")), tf.Variable(tf.zeros([b]))]


def forward(x, p):
    return tf.tanh(x @ p[0] + p[1]) @ p[2] + p[3]


def task():
    amp, phase = rng.uniform(0.5, 2.0), rng.uniform(0, np.pi)
    x = rng.uniform(-3, 3, (10, 1)).astype("float32")
    y = (amp * np.sin(x + phase)).astype("float32")
    return x[:5], y[:5], x[5:], y[5:]


for meta_step in range(3):
    with tf.GradientTape() as outer:
        losses = []
        for _ in range(2):
            xs, ys, xq, yq = task()
            fast = params
            for _ in range(2):
                with tf.GradientTape() as inner:
                    for f in fast:
                        inner.watch(f)
                    support = tf.reduce_mean((forward(xs, fast) - ys) ** 2)
                grads = inner.gradient(support, fast)
                fast = [f - 0.05 * g for f, g in zip(fast, grads)]
            losses.append(tf.reduce_mean((forward(xq, fast) - yq) ** 2))
        meta = tf.add_n(losses) / len(losses)
    for p, g in zip(params, outer.gradient(meta, params)):
        p.assign_sub(0.01 * g)
print("RESULT:", meta.numpy())
