import tensorflow as tf


def softplus_scale(raw):
    return 1.0 + float(raw) ** 2  # cause


raw = tf.Variable(0.3)
shift = tf.Variable(0.1)
data = tf.constant([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((softplus_scale(raw) * data + shift) ** 2)
print(tape.gradient(loss, [raw, shift]))
