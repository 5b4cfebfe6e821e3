import tensorflow as tf
w = tf.Variable(tf.random.normal([4, 3], seed=1)); teacher = tf.Variable(w, trainable=False)
x = tf.random.normal([6, 4], seed=2); scale = None
for i in range(4):
    with tf.GradientTape() as tape:
        z = x @ w; t = tf.stop_gradient(x @ teacher)
        n = tf.stop_gradient(tf.norm(z))
        if scale is None: scale = float(tf.reduce_mean(tf.norm(z, axis=1)))
        loss = tf.reduce_mean((z / n - t / tf.norm(t)) ** 2) * scale
    w.assign_sub(0.1 * tape.gradient(loss, w))
    teacher.assign(0.9 * teacher + 0.1 * w)
print(float(loss))
