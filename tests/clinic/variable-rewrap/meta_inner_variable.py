import tensorflow as tf

tf.random.set_seed(3)
meta = tf.Variable([0.5, -0.3])
x = tf.constant([0.1, 0.7, 1.2])


def predict(p, x):
    return p[0] * x + p[1]


def adapted(p, x, y, rate=0.1):
    with tf.GradientTape() as inner:
        inner.watch(p)
        loss = tf.reduce_mean((predict(p, x) - y) ** 2)
    return tf.Variable(p - rate * inner.gradient(loss, p))  # cause


with tf.GradientTape() as outer:
    fast = adapted(meta, x, 2.0 * x)
    loss = tf.reduce_mean((predict(fast, x) - 2.0 * x) ** 2)
print("RESULT:", outer.gradient(loss, meta))
