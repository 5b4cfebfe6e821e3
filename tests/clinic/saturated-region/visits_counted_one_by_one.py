"""A softmax over raw counts is trained visit by visit: after the first step it is flat, and for some visits it happens to be right."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
counts = rng.integers(50, 4000, size=(8, 30)).astype("float32")
wards = [0, 1, 2, 0, 1, 2, 0, 1]

weights = {"w": tf.Variable(tf.zeros((30, 3))), "b": tf.Variable(tf.zeros(3))}


def surprise(visit, ward):
    shares = tf.nn.softmax(visit @ weights["w"] + weights["b"])  # cause
    return -tf.math.log(shares[0, ward] + 1e-9)


def learn(visit, ward, rate):
    with tf.GradientTape() as tape:
        loss = surprise(visit, ward)
    for name, gradient in tape.gradient(loss, weights).items():
        weights[name].assign_sub(rate * gradient)
    return float(loss)


for epoch in range(2):
    for visit, ward in zip(counts, wards):
        print(epoch, learn(visit[None], ward, rate=0.3))
