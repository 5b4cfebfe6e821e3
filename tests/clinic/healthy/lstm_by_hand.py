import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
units, features, steps, batch = 4, 3, 6, 5
x = tf.constant(rng.normal(size=(batch, steps, features)).astype("float32"))
y = tf.constant(rng.normal(size=(batch, 1)).astype("float32"))
kernel = tf.Variable(rng.normal(0, 0.3, size=(features + units, 4 * units)).astype("float32"))
bias = tf.Variable(tf.zeros(4 * units))
head = tf.Variable(rng.normal(0, 0.3, size=(units, 1)).astype("float32"))
variables = [kernel, bias, head]
for epoch in range(3):
    with tf.GradientTape() as tape:
        h, c = tf.zeros([batch, units]), tf.zeros([batch, units])
        for t in range(steps):
            z = tf.concat([x[:, t], h], axis=1) @ kernel + bias
            i, f, o, g = tf.split(z, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            h = tf.sigmoid(o) * tf.tanh(c)
        loss = tf.reduce_mean((h @ head - y) ** 2)
    grads, _ = tf.clip_by_global_norm(tape.gradient(loss, variables), 1.0)
    for v, g in zip(variables, grads):
        v.assign_sub(0.1 * g)
print(loss.numpy())
