import tensorflow as tf

s = tf.Variable([-1.0, 0.0, 4.0])


def utility(wealth):
    root = wealth ** 0.5  # cause
    return tf.where(wealth > 0.0, root, wealth)


with tf.GradientTape() as tape:
    u = tf.reduce_sum(utility(s))
print(tape.gradient(u, s).numpy())
