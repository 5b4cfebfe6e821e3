import tensorflow as tf

w, b = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0])
average, count = tf.Variable([0.0, 0.0], trainable=False), tf.Variable(0.0, trainable=False)
x = tf.constant([0.5, -1.0])
for _ in range(3):
    with tf.GradientTape() as tape:
        h = tf.tanh(w * x + b)
        normal = h - average
        average.assign(0.9 * average + 0.1 * h)
        count.assign_add(1.0)
        loss = tf.reduce_sum(normal**2) / count
    for v, g in zip([w, b], tape.gradient(loss, [w, b])):
        v.assign_sub(0.1 * g)
print(w.numpy(), average.numpy())
