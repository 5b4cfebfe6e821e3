import tensorflow as tf

tf.random.set_seed(2)
w = tf.Variable(tf.random.normal([3, 1]))
tasks = [(tf.random.normal([4, 3]), tf.random.normal([4, 1])) for _ in range(3)]


def features(x):
    return tf.concat([x, x ** 2], axis=1)


losses = [tf.reduce_mean((x @ w - y) ** 2) for x, y in tasks]  # cause
with tf.GradientTape() as tape:
    total = tf.add_n(losses) / len(losses)  # cause
print("RESULT:", tape.gradient(total, w))
