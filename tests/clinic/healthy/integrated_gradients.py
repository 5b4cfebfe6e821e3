import numpy as np
import tensorflow as tf

rng = np.random.default_rng(49)
w1 = tf.constant(rng.normal(size=(5, 7)).astype("float32"))
w2 = tf.constant(rng.normal(size=(7, 3)).astype("float32"))


def model(x):
    return tf.nn.softmax(tf.nn.relu(x @ w1) @ w2)


x = tf.constant(rng.normal(size=(1, 5)).astype("float32"))
baseline = tf.zeros_like(x)
alphas = tf.linspace(0.0, 1.0, 21)
points = baseline + alphas[:, tf.newaxis] * (x - baseline)
label = int(tf.argmax(model(x)[0]))
with tf.GradientTape() as tape:
    tape.watch(points)
    p = model(points)[:, label]
grads = tape.gradient(p, points)
average = tf.reduce_mean((grads[:-1] + grads[1:]) / 2.0, axis=0)
attribution = (x - baseline) * average
gap = tf.reduce_sum(attribution) - (model(x)[0, label] - model(baseline)[0, label])
print("RESULT:", attribution.numpy(), abs(float(gap)) < 0.05)
