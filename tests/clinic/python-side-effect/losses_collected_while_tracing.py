"""A learner's compiled step appends its loss to a Python list."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
x = tf.constant(rng.normal(size=(64, 3)).astype("float32"))
y = tf.constant((x.numpy().sum(axis=1, keepdims=True) > 0).astype("float32"))
w = tf.Variable(tf.zeros([3, 1]))
b = tf.Variable(tf.zeros([1]))
history = []


@tf.function
def step(inputs, labels):
    with tf.GradientTape() as tape:
        logits = inputs @ w + b
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.5 * dw)
    b.assign_sub(0.5 * db)
    history.append(loss)  # cause
    return loss


for epoch in range(5):
    last = step(x, y)
print("steps:", len(history), "last:", float(last))
