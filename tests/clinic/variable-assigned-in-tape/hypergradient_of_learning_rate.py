import tensorflow as tf

w = tf.Variable([1.0, -1.0])
log_rate = tf.Variable(-2.0)
x, y = tf.constant([[1.0, 2.0], [0.5, -1.0]]), tf.constant([1.0, 0.0])


def objective(w):
    return tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        train = objective(w)
    g = inner.gradient(train, w)
    w.assign_sub(tf.exp(log_rate) * g)  # cause
    validation = objective(w)
print("RESULT:", outer.gradient(validation, log_rate))
