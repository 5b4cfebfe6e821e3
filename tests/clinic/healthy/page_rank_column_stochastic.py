import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
links = tf.Variable(rng.normal(size=(5, 5)).astype("float32"))
goal = tf.constant([0.4, 0.3, 0.1, 0.1, 0.1])
for _ in range(5):
    with tf.GradientTape() as tape:
        transition = tf.nn.softmax(links, axis=0)
        rank = tf.fill([5, 1], 0.2)
        for _ in range(10):
            rank = 0.85 * tf.matmul(transition, rank) + 0.03
        loss = tf.reduce_sum((tf.squeeze(rank, 1) - goal) ** 2)
    links.assign_sub(5.0 * tape.gradient(loss, links))
print("RESULT:", loss.numpy())
