"""An energy-based model: samples move along the gradient of the energy, then the energy is trained on them."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(60)
rng = np.random.default_rng(60)
w = [tf.Variable(rng.normal(0, 0.5, s).astype("float32")) for s in [(2, 16), (16, 1)]]
data = tf.constant(rng.normal(1.0, 0.3, size=(32, 2)).astype("float32"))


def energy(x):
    return tf.squeeze(tf.nn.softplus(x @ w[0]) @ w[1], 1)


def langevin(x, steps=5, size=0.05):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(x)
            e = tf.reduce_sum(energy(x))
        x = x - size * tape.gradient(e, x) + tf.sqrt(2 * size) * 0.1 * tf.random.normal(x.shape)
        x = tf.clip_by_value(x, -3.0, 3.0)
    return x


buffer = rng.uniform(-2, 2, (64, 2)).astype("float32")
for step in range(4):
    index = rng.choice(64, 32, replace=False)
    negative = langevin(tf.constant(buffer[index]))
    buffer[index] = negative.numpy()
    with tf.GradientTape() as tape:
        up, down = energy(data), energy(negative)
        loss = tf.reduce_mean(up) - tf.reduce_mean(down) + 0.1 * tf.reduce_mean(up**2 + down**2)
    for v, g in zip(w, tape.gradient(loss, w)):
        v.assign_sub(0.01 * g)
    print(step, loss.numpy())
