import tensorflow as tf

w = tf.Variable([1.0, -2.0, 0.5])
shrink = 0.1 * tf.abs(w)  # cause
for step in range(3):
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((w - 0.3) ** 2)
        loss = fit + tf.reduce_sum(shrink)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
