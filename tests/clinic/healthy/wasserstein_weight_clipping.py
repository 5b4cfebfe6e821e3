import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
critic = [tf.Variable(rng.normal(0, 0.02, (2, 6)).astype("float32")), tf.Variable(rng.normal(0, 0.02, (6, 1)).astype("float32"))]
gen = tf.Variable([[0.5, 0.1], [0.0, 0.4]])


def f(x):
    return tf.nn.relu(x @ critic[0]) @ critic[1]


for step in range(6):
    z = rng.normal(size=(12, 2)).astype("float32")
    real = rng.normal(2, 1, size=(12, 2)).astype("float32")
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(f(tf.stop_gradient(z @ gen))) - tf.reduce_mean(f(real))
    for v, g in zip(critic, tape.gradient(loss, critic)):
        v.assign(tf.clip_by_value(v - 0.05 * g, -0.1, 0.1))
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(f(z @ gen))
    gen.assign_sub(0.5 * tape.gradient(g_loss, gen))
print("RESULT:", loss.numpy(), g_loss.numpy())
