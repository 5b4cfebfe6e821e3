import numpy as np
import tensorflow as tf

rng = np.random.default_rng(33)


@tf.custom_gradient
def binarise(x):
    def grad(dy):
        return tf.where(tf.abs(x) <= 1.0, dy, tf.zeros_like(dy))

    return tf.where(x >= 0, 1.0, -1.0), grad


w1 = tf.Variable(rng.uniform(-0.5, 0.5, (6, 10)).astype("float32"))
w2 = tf.Variable(rng.uniform(-0.5, 0.5, (10, 2)).astype("float32"))
x = np.sign(rng.normal(size=(40, 6))).astype("float32")
y = (x[:, 0] * x[:, 1] > 0).astype("int64")
for epoch in range(10):
    with tf.GradientTape() as tape:
        h = binarise(x @ binarise(w1))
        logits = h @ w2
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
        v.assign(tf.clip_by_value(v - 0.1 * g, -1.0, 1.0))
print("RESULT:", loss.numpy())
