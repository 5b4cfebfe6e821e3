import tensorflow as tf

w = tf.Variable([1.0, -2.0])
with tf.GradientTape() as tape:
    fit = tf.reduce_mean((w - 0.5) ** 2)
    sparsity = tf.reduce_sum(tf.abs(w))
    loss = fit + 0.1 * tf.stop_gradient(sparsity)  # cause
print(tape.gradient(loss, w))
