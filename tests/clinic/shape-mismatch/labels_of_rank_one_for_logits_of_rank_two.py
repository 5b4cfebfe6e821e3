"""A learner's logistic regression: flat labels, and logits in a column."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
features = tf.constant(rng.normal(size=(30, 4)).astype("float32"))
labels = tf.constant((rng.uniform(size=30) > 0.5).astype("float32"))
w = tf.Variable(tf.zeros([4, 1]))
b = tf.Variable(0.0)


def model(x):
    return x @ w + b


def loss_fn(x, y):
    logits = model(x)
    each = tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits)  # cause
    return tf.reduce_mean(each)


for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = loss_fn(features, labels)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    print(epoch, float(loss))
