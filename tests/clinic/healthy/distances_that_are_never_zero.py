import numpy as np
import tensorflow as tf

points = tf.Variable([[0.0, 0.0], [3.0, 4.0]])
goal = tf.constant([[1.0, 0.0], [0.0, 0.0]])
for _ in range(10):
    with tf.GradientTape() as tape:
        length = tf.norm(points - goal, axis=1)
        loss = tf.reduce_mean(length)
    g = tape.gradient(loss, points)
    points.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
