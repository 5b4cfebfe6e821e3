import tensorflow as tf

w = tf.Variable(2.0)
b = tf.Variable(0.0)
xs = tf.constant([1.0, 2.0, 3.0]); ys = tf.constant([2.0, 4.0, 6.0])
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * xs + b - ys) ** 2)
    dw, db = tape.gradient(loss, [w, b])
    w = w - 0.01 * dw  # cause
    b = b - 0.01 * db  # cause
    print(epoch, float(loss))
