import tensorflow as tf
w = tf.Variable([1.0, 2.0]); x = tf.constant([0.5, 0.3])
for i in range(3):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = tf.reduce_sum(w * x)
        g = t1.gradient(y, w)
        s = tf.reduce_sum(g)
    h = t2.gradient(s, w, unconnected_gradients='zero')
    w.assign_sub(0.1 * g + 0.0 * h)
print(w.numpy())
