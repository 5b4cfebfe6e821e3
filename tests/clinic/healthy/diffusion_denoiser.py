import numpy as np
import tensorflow as tf

rng = np.random.default_rng(10)
betas = np.linspace(1e-4, 0.2, 20).astype("float32")
alpha_bar = tf.constant(np.cumprod(1.0 - betas).astype("float32"))
w1 = tf.Variable(rng.normal(size=(3, 8)).astype("float32") * 0.3)
w2 = tf.Variable(np.zeros((8, 2), "float32"))
data = tf.constant(rng.normal(size=(32, 2)).astype("float32"))


@tf.function
def step(x, t, noise):
    with tf.GradientTape() as tape:
        a = tf.gather(alpha_bar, t)[:, None]
        noisy = tf.sqrt(a) * x + tf.sqrt(1.0 - a) * noise
        h = tf.nn.silu(tf.concat([noisy, tf.cast(t, tf.float32)[:, None] / 20.0], axis=1) @ w1)
        loss = tf.reduce_mean((h @ w2 - noise) ** 2)
    for v, g in zip([w1, w2], tape.gradient(loss, [w1, w2])):
        v.assign_sub(0.1 * g)
    return loss


for _ in range(4):
    t = tf.constant(rng.integers(0, 20, size=32))
    loss = step(data, t, tf.constant(rng.normal(size=(32, 2)).astype("float32")))
print("RESULT:", float(loss))
