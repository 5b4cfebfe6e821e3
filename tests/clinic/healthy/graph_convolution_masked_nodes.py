import numpy as np
import tensorflow as tf

rng = np.random.default_rng(46)
n, classes = 10, 3
edges = rng.integers(0, n, (20, 2))
a = np.eye(n, dtype="float32")
a[edges[:, 0], edges[:, 1]] = a[edges[:, 1], edges[:, 0]] = 1.0
d = a.sum(1)
a_hat = tf.constant(a / np.sqrt(d[:, None] * d[None, :]))
x = tf.constant(rng.normal(size=(n, 4)).astype("float32"))
y = rng.integers(0, classes, n)
train_mask = np.zeros(n, "float32")
train_mask[:5] = 1.0
w0 = tf.Variable(rng.normal(0, 0.4, (4, 8)).astype("float32"))
w1 = tf.Variable(rng.normal(0, 0.4, (8, classes)).astype("float32"))
for epoch in range(10):
    with tf.GradientTape() as tape:
        h = tf.nn.dropout(tf.nn.relu(a_hat @ (x @ w0)), 0.3, seed=epoch)
        logits = a_hat @ (h @ w1)
        per_node = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_sum(per_node * train_mask) / tf.reduce_sum(train_mask)
    for v, g in zip([w0, w1], tape.gradient(loss, [w0, w1])):
        v.assign_sub(0.3 * g)
    accuracy = np.mean(np.argmax(logits.numpy(), 1)[5:] == y[5:])
print("RESULT:", loss.numpy(), accuracy)
