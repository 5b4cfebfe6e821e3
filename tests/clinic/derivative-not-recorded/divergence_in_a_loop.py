"""The divergence of a learned field, added to the loss as a number of the loop before."""

import tensorflow as tf

theta = tf.Variable([[0.3, -0.2], [0.1, 0.4]])
points = tf.constant([[0.0, 1.0], [1.0, 0.5]])
for step in range(2):
    with tf.GradientTape() as space:
        space.watch(points)
        field = tf.sin(points @ theta)
    divergence = tf.linalg.trace(space.batch_jacobian(field, points))  # cause
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(divergence**2)
    g = tape.gradient(loss, theta)
    print(step, g)
