import numpy as np
import tensorflow as tf

rng = np.random.default_rng(12)
x = rng.normal(size=(32, 8)).astype("float16")
y = rng.normal(size=(32, 1)).astype("float32")
master = [tf.Variable(rng.normal(0, 0.3, (8, 16)).astype("float32")), tf.Variable(rng.normal(0, 0.3, (16, 1)).astype("float32"))]
scale = 128.0
good_steps = 0
for step in range(10):
    with tf.GradientTape() as tape:
        w1, w2 = [tf.cast(v, tf.float16) for v in master]
        h = tf.nn.relu(tf.matmul(x, w1))
        prediction = tf.cast(tf.matmul(h, w2), tf.float32)
        loss = tf.reduce_mean((prediction - y) ** 2)
        scaled = loss * scale
    grads = [g / scale for g in tape.gradient(scaled, master)]
    if all(bool(tf.reduce_all(tf.math.is_finite(g))) for g in grads):
        for v, g in zip(master, grads):
            v.assign_sub(0.01 * g)
        good_steps += 1
        if good_steps % 5 == 0:
            scale *= 2.0
    else:
        scale /= 2.0
print("RESULT:", loss.numpy(), scale)
