import tensorflow as tf, numpy as np
x = tf.Variable([3.0, -2.0])
f = lambda v: tf.reduce_sum(v ** 4) + tf.reduce_sum(v ** 2)
for i in range(6):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            y = f(x)
        g = t1.gradient(y, x)
    h = t2.jacobian(g, x)
    step = np.linalg.solve(h.numpy(), g.numpy())
    a, y0 = 1.0, float(y)
    while float(f(x - a * step)) > y0 - 1e-4 * a * np.dot(step, g.numpy()):
        a *= 0.5
    x.assign_sub(a * step)
print(x.numpy())
