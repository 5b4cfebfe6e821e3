import numpy as np
import tensorflow as tf

x = tf.Variable([0.5, -0.3])


def rosen(v):
    return 100.0 * (v[1] - v[0] ** 2) ** 2 + (1.0 - v[0]) ** 2


for it in range(2):
    with tf.GradientTape() as t2:
        with tf.GradientTape() as t1:
            f = rosen(x)
    g = t1.gradient(f, x)  # cause
    H = t2.jacobian(g, x)
    if H is None:
        print("no Hessian at", it)
        x.assign_sub(0.001 * g)
    else:
        x.assign_sub(tf.linalg.solve(H, g[:, None])[:, 0])
print(x.numpy())
