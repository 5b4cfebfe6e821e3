"""A learner averages the losses of the examples with NumPy before asking for the gradient."""
import numpy as np
import tensorflow as tf

hours = [0.5, 1.0, 1.5, 2.0, 3.0, 4.0]
passed = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]

w = tf.Variable(0.1)
b = tf.Variable(0.0)
rate = 0.5


def predict(x):
    return 1.0 / (1.0 + tf.exp(-(w * x + b)))


def cross_entropy(p, y):
    return -(y * tf.math.log(p) + (1 - y) * tf.math.log(1 - p))


for epoch in range(10):
    with tf.GradientTape() as tape:
        losses = []
        for x, y in zip(hours, passed):
            losses.append(cross_entropy(predict(x), y))
        loss = np.mean(losses)  # cause
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(rate * dw)
    b.assign_sub(rate * db)
    print(epoch, loss)
print("boundary at", -(b / w).numpy())
