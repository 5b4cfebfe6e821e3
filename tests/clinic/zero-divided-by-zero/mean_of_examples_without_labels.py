import tensorflow as tf

w = tf.Variable([1.0, 2.0, 3.0])
labels = tf.constant([-1, -1, -1])


def masked_mean(errors, mask):
    kept = tf.boolean_mask(errors, mask)
    return tf.reduce_mean(kept)  # cause


with tf.GradientTape() as tape:
    loss = masked_mean((w - 1.0) ** 2, labels >= 0)
print(tape.gradient(loss, w))
