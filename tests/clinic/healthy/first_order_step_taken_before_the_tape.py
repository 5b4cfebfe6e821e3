import tensorflow as tf

w = tf.Variable([[0.5], [0.2]])
x, y = tf.constant([[1.0, 2.0], [2.0, 1.0]]), tf.constant([[1.0], [0.0]])
for _ in range(3):
    before = tf.identity(w)
    with tf.GradientTape() as inner:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w.assign_sub(0.1 * inner.gradient(loss, w))
    with tf.GradientTape() as outer:
        meta_loss = tf.reduce_mean((x @ w - y) ** 2)
    step = outer.gradient(meta_loss, w)
    w.assign(before - 0.1 * step)
print(w)
