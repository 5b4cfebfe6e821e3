import numpy as np
import tensorflow as tf
from itertools import permutations

rng = np.random.default_rng(22)
slots = tf.Variable(rng.normal(size=(3, 2)).astype("float32"))
objects = tf.constant(rng.normal(size=(3, 2)).astype("float32"))
for _ in range(10):
    with tf.GradientTape() as tape:
        cost = tf.reduce_sum((slots[:, None] - objects[None]) ** 2, axis=-1)
        table = cost.numpy()
        best = min(permutations(range(3)), key=lambda p: sum(table[i, j] for i, j in enumerate(p)))
        loss = tf.reduce_mean(tf.gather_nd(cost, [[i, j] for i, j in enumerate(best)]))
    slots.assign_sub(0.3 * tape.gradient(loss, slots))
print("RESULT:", loss.numpy())
