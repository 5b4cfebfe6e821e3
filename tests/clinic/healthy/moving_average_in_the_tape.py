import tensorflow as tf

w = tf.Variable([1.0, 2.0])
average = tf.Variable([0.0, 0.0], trainable=False)
steps = tf.Variable(0, trainable=False)
for i in range(3):
    with tf.GradientTape() as tape:
        h = w * 2.0
        average.assign(0.9 * average + 0.1 * h)
        steps.assign_add(1)
        loss = tf.reduce_sum((h - 1.0) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(w.numpy(), average.numpy())
