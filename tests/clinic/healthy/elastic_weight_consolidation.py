import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
b = tf.Variable([0.0])
tasks = [(rng.normal(size=(10, 3)).astype("float32"), rng.normal(size=(10, 1)).astype("float32")) for _ in range(2)]


def loss_on(x, y):
    return tf.reduce_mean((x @ w + b - y) ** 2)


for _ in range(10):
    with tf.GradientTape() as tape:
        loss = loss_on(*tasks[0])
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.1 * g)
anchor = [tf.identity(v) for v in (w, b)]
with tf.GradientTape() as tape:
    final = loss_on(*tasks[0])
fisher = [g ** 2 for g in tape.gradient(final, [w, b])]
for _ in range(10):
    with tf.GradientTape() as tape:
        penalty = tf.add_n([tf.reduce_sum(f * (v - a) ** 2) for f, v, a in zip(fisher, (w, b), anchor)])
        loss = loss_on(*tasks[1]) + 5.0 * penalty
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
