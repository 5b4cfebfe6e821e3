"""MAML: the adapted weights are put into new variables, and the outer gradient stops there."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
meta = {
    "w1": tf.Variable(rng.normal(0, 0.5, (1, 10)).astype("float32")),
    "b1": tf.Variable(tf.zeros(10)),
    "w2": tf.Variable(rng.normal(0, 0.5, (10, 1)).astype("float32")),
    "b2": tf.Variable(tf.zeros(1)),
}


def predict(params, x):
    return tf.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]


def mse(params, x, y):
    return tf.reduce_mean((predict(params, x) - y) ** 2)


def adapt(params, x, y, rate=0.05):
    with tf.GradientTape() as inner:
        loss = mse(params, x, y)
    grads = inner.gradient(loss, params)
    return {name: tf.Variable(params[name] - rate * grads[name]) for name in params}  # cause


def task():
    amplitude, phase = rng.uniform(0.5, 2.0), rng.uniform(0.0, 3.0)
    x = rng.uniform(-3, 3, (12, 1)).astype("float32")
    y = (amplitude * np.sin(x + phase)).astype("float32")
    return (x[:6], y[:6]), (x[6:], y[6:])


for iteration in range(2):
    with tf.GradientTape() as outer:
        losses = []
        for _ in range(2):
            support, query = task()
            losses.append(mse(adapt(meta, *support), *query))
        total = tf.add_n(losses)
    grads = outer.gradient(total, meta)
    for name, variable in meta.items():
        if grads[name] is not None:
            variable.assign_sub(0.01 * grads[name])
    print(iteration, total.numpy())
