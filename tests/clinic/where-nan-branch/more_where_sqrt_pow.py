import tensorflow as tf

depth = tf.Variable([-0.5, 0.2, 1.0])

def weir(h):
    flow = 1.7 * h ** 1.5  # cause
    return tf.where(h > 0.0, flow, tf.zeros_like(h))

with tf.GradientTape() as tape:
    total = tf.reduce_sum(weir(depth))
print(tape.gradient(total, depth))
