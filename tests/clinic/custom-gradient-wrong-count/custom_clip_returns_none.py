import tensorflow as tf


@tf.custom_gradient
def clip_gradient(x, limit):
    def grad(upstream):
        return tf.clip_by_value(upstream, -limit, limit), None

    return tf.identity(x), grad


@tf.custom_gradient
def soft_threshold(x, level):
    shrunk = tf.sign(x) * tf.maximum(tf.abs(x) - level, 0.0)

    def grad(upstream):
        passed = tf.cast(tf.abs(x) > level, x.dtype)
        return upstream * passed, None  # cause

    return shrunk, grad


code = tf.Variable([0.9, -0.2, 1.4, 0.05])
level = tf.Variable(0.3)
dictionary = tf.constant([[1.0, 0.0, 0.5, 0.2], [0.0, 1.0, 0.3, 0.1]])
signal = tf.constant([1.2, 0.4])
with tf.GradientTape() as tape:
    sparse = soft_threshold(code, level)
    rebuilt = tf.linalg.matvec(dictionary, clip_gradient(sparse, 1.0))
    loss = tf.reduce_sum((rebuilt - signal) ** 2)
grads = tape.gradient(loss, [code, level])
print("RESULT:", grads[1])
