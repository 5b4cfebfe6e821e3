import tensorflow as tf

x = tf.constant([1.0, 2.0])


def model(x):
    return tf.reduce_sum(tf.sin(x) * x)


y = model(x)  # cause
with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
    z = y * 2.0
print("directional derivative", acc.jvp(z))
