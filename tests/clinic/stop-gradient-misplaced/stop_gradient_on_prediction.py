import tensorflow as tf

tf.random.set_seed(6)
online = tf.Variable(tf.random.normal([5, 3]))
predictor = tf.Variable(tf.random.normal([3, 3]))
a, b = tf.random.normal([7, 5]), tf.random.normal([7, 5])


def project(x):
    return tf.math.l2_normalize(x @ online, axis=1)


def byol(a, b):
    p = tf.math.l2_normalize(project(a) @ predictor, axis=1)
    z = project(b)
    return 2.0 - 2.0 * tf.reduce_mean(tf.reduce_sum(tf.stop_gradient(p) * tf.stop_gradient(z), axis=1))  # cause


with tf.GradientTape() as tape:
    loss = byol(a, b)
print("RESULT:", tape.gradient(loss, [online, predictor]))
