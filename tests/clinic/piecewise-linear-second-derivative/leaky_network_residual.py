import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
w1 = tf.Variable(rng.normal(size=(1, 8)).astype("float32"))
w2 = tf.Variable(rng.normal(size=(8, 1)).astype("float32"))
x = tf.constant(np.linspace(0.1, 1.0, 5).reshape(-1, 1).astype("float32"))
with tf.GradientTape() as outer:
    with tf.GradientTape() as t2:
        t2.watch(x)
        with tf.GradientTape() as t1:
            t1.watch(x)
            hidden = tf.nn.leaky_relu(tf.matmul(x, w1), alpha=0.1)  # cause
            u = tf.matmul(hidden, w2)
        u_x = t1.gradient(u, x)
    u_xx = t2.gradient(u_x, x)
    loss = tf.reduce_mean((u_xx + tf.sin(x)) ** 2)
print(outer.gradient(loss, [w1, w2], unconnected_gradients="zero"))
