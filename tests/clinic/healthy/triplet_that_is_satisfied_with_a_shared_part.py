import tensorflow as tf

theta = tf.Variable([0.1, 0.2])
def triplet(a, p, n, margin):
    return tf.maximum(0.0, tf.reduce_sum((a - p) ** 2) - tf.reduce_sum((a - n) ** 2) + margin)
with tf.GradientTape() as tape:
    anchor = theta * 2.0
    loss = triplet(anchor, anchor + 0.01, anchor + 30.0 * theta, -50.0)
print(loss, tape.gradient(loss, theta))
