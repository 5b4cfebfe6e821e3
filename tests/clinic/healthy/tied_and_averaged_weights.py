import tensorflow as tf

w, b = tf.Variable([1.0, -0.4]), tf.Variable([0.1, 0.2])
copy, average = tf.Variable(w), tf.Variable(w, trainable=False)
x, y = tf.constant([0.5, 2.0]), tf.constant([1.0, 0.0])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((x * w + b - y) ** 2) + 0.1 * tf.reduce_sum(copy**2)
    gw, gb, gc = tape.gradient(loss, [w, b, copy])
    w.assign_sub(0.1 * (gw + gc))
    b.assign_sub(0.1 * gb)
    copy.assign(w)
    average.assign(0.9 * average + 0.1 * w)
print(w.numpy(), average.numpy())
