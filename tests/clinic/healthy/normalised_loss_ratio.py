import tensorflow as tf

w = tf.Variable([2.0, -1.0])
first = None
for _ in range(6):
    with tf.GradientTape() as tape:
        fit = tf.reduce_sum((w - 1.0) ** 2)
        size = tf.reduce_sum(tf.abs(w))
        if first is None:
            first = tf.stop_gradient(fit)
        loss = fit / first + 0.1 * size / tf.stop_gradient(size)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print("RESULT:", loss.numpy(), w.numpy())
