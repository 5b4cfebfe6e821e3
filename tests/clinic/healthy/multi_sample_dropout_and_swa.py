"""Several dropout masks, and weights that are averaged and swapped in for evaluation only."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(64)
rng = np.random.default_rng(64)
x = tf.constant(rng.normal(size=(24, 5)).astype("float32"))
y = tf.constant(rng.integers(0, 3, 24))
model = [tf.Variable(rng.normal(0, 0.4, s).astype("float32")) for s in [(5, 12), (12, 3)]]
average, count = [tf.zeros_like(v) for v in model], 0


def logits(x, training):
    h = tf.nn.relu(x @ model[0])
    if not training:
        return h @ model[1]
    return tf.add_n([tf.nn.dropout(h, 0.5) @ model[1] for _ in range(3)]) / 3.0


def evaluate():
    kept = [v.numpy() for v in model]
    for v, a in zip(model, average):
        v.assign(a)
    accuracy = np.mean(np.argmax(logits(x, False).numpy(), 1) == y.numpy())
    for v, k in zip(model, kept):
        v.assign(k)
    return accuracy


for epoch in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits(x, True)))
    for v, g in zip(model, tape.gradient(loss, model)):
        v.assign_sub(0.3 * g)
    if epoch >= 1:
        count += 1
        average = [a + (v - a) / count for a, v in zip(average, model)]
        print(epoch, loss.numpy(), evaluate())
