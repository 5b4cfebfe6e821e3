import tensorflow as tf

features = tf.constant([[1.0, 2.0], [1.0, 4.0], [1.0, 6.0]])
gain = tf.Variable([1.0, 1.0])


def batch_norm(h):
    mean, variance = tf.nn.moments(h, axes=0)
    return (h - mean) / tf.sqrt(variance)  # cause


with tf.GradientTape() as tape:
    out = batch_norm(features * gain)
    loss = tf.reduce_mean(tf.where(tf.math.is_finite(out), out, 0.0) ** 3)
print("RESULT:", tape.gradient(loss, gain).numpy())
