import tensorflow as tf

theta = tf.Variable([0.2, 0.4])


def objective(p):
    return tf.reduce_sum(tf.sin(p))


grads = None
for _ in range(2):
    with tf.GradientTape() as tape:
        value = objective(theta)
    grads = tape.gradient(value, theta)
    if grads is None:
        break
    theta -= 0.5 * grads  # cause
print(grads)
