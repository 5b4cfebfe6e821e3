import tensorflow as tf


@tf.custom_gradient
def clipped_identity(x):
    def grad(dy):
        return tf.reduce_mean(tf.clip_by_value(dy, -1.0, 1.0), axis=0)  # cause

    return tf.identity(x), grad


w = tf.Variable(tf.ones([4, 3]))
x = tf.ones([5, 4])
with tf.GradientTape() as tape:
    h = clipped_identity(x @ w)
    loss = tf.reduce_sum(h ** 2)
print("RESULT:", tape.gradient(loss, w))
