import tensorflow as tf
a = tf.Variable(1.0)
b = tf.Variable(2.0)
for v, d in [(a, 1.0), (b, 0.5)]:
    with tf.autodiff.ForwardAccumulator(v, tf.constant(d)) as acc:
        y = a * a
        with tf.GradientTape() as tape:
            z = b * a
        g = tape.gradient(z, a)
    t = acc.jvp(y, unconnected_gradients="zero")
    h = acc.jvp(g, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    print(t, h)
    u = acc.jvp(y)
    if u is None:
        u = tf.zeros_like(y)
    print(u)
x = tf.constant([[1., 2.], [3., 4.]])
with tf.autodiff.ForwardAccumulator(x, tf.ones((2, 2))) as outer:
    with tf.autodiff.ForwardAccumulator(x, tf.ones((2, 2))) as inner:
        y = tf.sin(x)
    d = inner.jvp(y)
print(outer.jvp(d))
