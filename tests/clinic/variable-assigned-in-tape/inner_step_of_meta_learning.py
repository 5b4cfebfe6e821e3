import tensorflow as tf

w = tf.Variable([[0.5], [0.2]])
support = tf.constant([[1.0, 2.0], [2.0, 1.0]]), tf.constant([[1.0], [0.0]])
query = tf.constant([[0.3, 1.0]]), tf.constant([[0.7]])


def loss_of(batch):
    x, y = batch
    return tf.reduce_mean((x @ w - y) ** 2)


with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        loss = loss_of(support)
    w.assign_sub(0.1 * inner.gradient(loss, w))  # cause
    meta_loss = loss_of(query)
print(outer.gradient(meta_loss, w))
