import tensorflow as tf


@tf.function
def train_step(x, y, w, b):
    with tf.GradientTape() as tape:
        prediction = tf.linalg.matvec(x, w) + b
        loss = tf.reduce_mean(tf.square(prediction - y))
    dw, db = tape.gradient(loss, [w, b])
    w = w - 0.1 * dw  # cause
    b = b - 0.1 * db
    return loss


w = tf.Variable(tf.zeros([3]))
b = tf.Variable(0.0)
x = tf.random.stateless_normal([10, 3], [0, 1])
y = tf.reduce_sum(x, 1)
for _ in range(5):
    print(train_step(x, y, w, b).numpy())
