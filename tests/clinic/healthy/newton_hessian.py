import tensorflow as tf

x = tf.Variable([1.5, -0.5])


def rosenbrock(x):
    return 10.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2


for _ in range(5):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            f = rosenbrock(x)
        g = inner.gradient(f, x)
    H = outer.jacobian(g, x)
    x.assign_sub(tf.linalg.solve(H + 1e-3 * tf.eye(2), g[:, None])[:, 0])
print("RESULT:", x.numpy(), float(f))
