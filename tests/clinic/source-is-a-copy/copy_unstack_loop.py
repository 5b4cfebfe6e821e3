import tensorflow as tf

points = tf.Variable([[0.0, 1.0], [2.0, 3.0]])
with tf.GradientTape() as tape:
    parts = tf.unstack(points)  # cause
    energy = tf.reduce_sum(points ** 2)  # cause
forces = [tape.gradient(energy, parts)]  # cause
print(forces)
