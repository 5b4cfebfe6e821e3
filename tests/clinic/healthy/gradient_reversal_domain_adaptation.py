import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)


@tf.custom_gradient
def reverse(x):
    def grad(dy):
        return -0.3 * dy

    return tf.identity(x), grad


f = tf.Variable(rng.normal(0, 0.3, (4, 3)).astype("float32"))
label = tf.Variable(rng.normal(0, 0.3, (3, 2)).astype("float32"))
domain = tf.Variable(rng.normal(0, 0.3, (3, 1)).astype("float32"))
x, y = rng.normal(size=(10, 4)).astype("float32"), rng.integers(0, 2, 10)
d = np.repeat([[0.0], [1.0]], 5, axis=0).astype("float32")
for _ in range(4):
    with tf.GradientTape() as tape:
        h = tf.nn.relu(x @ f)
        task = tf.nn.sparse_softmax_cross_entropy_with_logits(y[:5], h[:5] @ label)
        dom = tf.nn.sigmoid_cross_entropy_with_logits(d, reverse(h) @ domain)
        loss = tf.reduce_mean(task) + tf.reduce_mean(dom)
    for v, g in zip([f, label, domain], tape.gradient(loss, [f, label, domain])):
        v.assign_sub(0.2 * g)
print("RESULT:", loss.numpy())
