import tensorflow as tf

w = tf.Variable([0.1, 0.2])


def loss_fn():
    return tf.reduce_sum(w ** 2)


with tf.GradientTape() as tape:
    loss = loss_fn  # cause
print(tape.gradient(loss, w))  # cause
