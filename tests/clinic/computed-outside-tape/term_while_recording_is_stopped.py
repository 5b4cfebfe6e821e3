import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    fit = tf.reduce_sum((w - 3.0) ** 2)
    with tape.stop_recording():
        penalty = tf.reduce_sum(tf.abs(w))  # cause
    loss = fit + penalty
print(tape.gradient(loss, w))
