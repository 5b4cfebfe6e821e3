"""A learner warms up with a linear model, and asks for the gradient of the other one, too."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(20)
x = tf.constant(rng.uniform(-1, 1, size=(40,)).astype("float32"))
y = 0.5 * x + 0.8 * x**2
a = tf.Variable(0.1)
c = tf.Variable(0.1)


def predict(epoch, inputs):
    if epoch < 2:  # cause
        return a * inputs
    return a * inputs + c * inputs**2


for epoch in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((predict(epoch, x) - y) ** 2)
    da, dc = tape.gradient(loss, [a, c])
    a.assign_sub(0.1 * da)
    if dc is None:
        print("nothing for c in epoch", epoch)
    print(epoch, float(loss))
