import tensorflow as tf

x = tf.Variable([-1.2, 1.0], dtype=tf.float64)


def rosenbrock(v):
    return (1.0 - v[0]) ** 2 + 100.0 * (v[1] - v[0] ** 2) ** 2


for i in range(8):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            f = rosenbrock(x)
        g = inner.gradient(f, x)
    h = outer.jacobian(g, x)
    p = tf.squeeze(tf.linalg.solve(h, g[:, tf.newaxis]), axis=1)
    x.assign_sub(p)
print("RESULT:", x.numpy())
