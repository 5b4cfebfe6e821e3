import tensorflow as tf

w = tf.Variable([1.0, 2.0, -0.5])
for step in range(4):
    with tf.GradientTape() as tape:
        fit = tf.reduce_mean((w - 0.3) ** 2)
        smooth = tf.reduce_sum((w[1:] - w[:-1]) ** 2)
        balance = float(fit) / (float(smooth) + 1e-6)
        loss = fit + balance * smooth
        loss = loss / float(loss)
    w.assign_sub(0.05 * tape.gradient(loss, w))
print(w.numpy())
