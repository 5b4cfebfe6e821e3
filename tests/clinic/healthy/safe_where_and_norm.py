import tensorflow as tf

points = tf.Variable([[0.0, 0.0], [1.0, 2.0], [0.0, 0.0]])


def safe_norm(v):
    squared = tf.reduce_sum(v ** 2, axis=-1)
    positive = squared > 0
    return tf.where(positive, tf.sqrt(tf.where(positive, squared, 1.0)), 0.0)


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(safe_norm(points - tf.constant([0.0, 0.0])))
g = tape.gradient(loss, points)
points.assign_sub(0.1 * g)
print("RESULT:", g.numpy())
