import numpy as np
import tensorflow as tf
rng = np.random.default_rng(2)
x = tf.constant(rng.normal(size=(800, 3)).astype("float32"))
y = tf.constant(rng.normal(size=(800, 1)).astype("float32"))
w = tf.Variable(rng.normal(size=(3, 1)).astype("float32"))
velocity = tf.Variable(tf.zeros([3, 1]), trainable=False)
lr = 0.005
for epoch in range(100):
    with tf.GradientTape() as tape:
        loss = 0.5 * tf.reduce_sum((x @ w - y) ** 2)  # cause
    g = tape.gradient(loss, w)
    velocity.assign(0.9 * velocity - lr * g)
    w.assign_add(velocity)
print(w.numpy())
