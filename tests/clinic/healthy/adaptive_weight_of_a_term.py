import tensorflow as tf

w = tf.Variable([1.0, 2.0])
for step in range(3):
    balance = tf.reduce_mean(tf.abs(w))
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((w - 0.5) ** 2)
        smooth = (w[0] - w[1]) ** 2
        loss = fit + balance * smooth
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy())
