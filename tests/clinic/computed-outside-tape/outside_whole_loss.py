import tensorflow as tf

w = tf.Variable([1.0, 2.0])


def compute_loss():
    return tf.reduce_sum(w ** 2)


loss = compute_loss()  # cause
with tf.GradientTape() as tape:  # cause
    pass
print(tape.gradient(loss, w))
