"""The value loss is weighted by Python floats made from the values themselves, which should take part in the gradient."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(89)
w = tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"))
scale = tf.Variable(1.5)
x = rng.normal(size=(5, 4)).astype("float32")
y = rng.normal(size=5).astype("float32")


def robust(residual, c):
    r = float(residual)  # cause
    if abs(r) <= c:
        return 0.5 * residual ** 2
    return c * abs(r) - 0.5 * c ** 2


def loss_of(x, y):
    predicted = tf.squeeze(scale * (x @ w), axis=1)
    total = 0.0
    for p, t in zip(predicted, y):
        total += robust(p - t, 0.3)
    return total / len(y)


for _ in range(2):
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    dw, ds = tape.gradient(loss, [w, scale])
    if dw is not None:
        w.assign_sub(0.1 * dw)
        scale.assign_sub(0.1 * ds)
    print(float(loss))
