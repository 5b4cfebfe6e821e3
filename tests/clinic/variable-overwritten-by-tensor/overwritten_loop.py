import tensorflow as tf

w = tf.Variable([1.0, 2.0])
x = tf.constant([0.5, 0.25])
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w * x - 1.0) ** 2)
    g = tape.gradient(loss, w)
    if g is None:
        break
    w = w - 0.1 * g  # cause
print(g)
