import tensorflow as tf

inertia = tf.Variable([[2.0, 0.0], [0.0, 2.0]])
with tf.GradientTape() as tape:
    values, axes = tf.linalg.eigh(inertia)  # cause
    loss = tf.reduce_sum(axes * tf.constant([[0.1, 0.7], [0.3, 0.2]]))
print(tape.gradient(loss, inertia).numpy())
