import tensorflow as tf

residuals = tf.constant([3.0, -4.0, 5.0, 2.5])
shift = tf.Variable(0.1)


def absolute_loss(r):
    return tf.reduce_mean(tf.maximum(r, -0.5 * r))  # cause


def newton_step(v):
    with tf.GradientTape() as second:
        with tf.GradientTape() as first:
            f = absolute_loss(residuals - v)
        slope = first.gradient(f, v)
    bend = second.gradient(slope, v)
    return slope, bend


slope, bend = newton_step(shift)
print("RESULT:", bend)
