import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
tf.random.set_seed(0)
LATENT, DATA, BATCH = 4, 2, 16


class MLP(tf.Module):
    def __init__(self, sizes, out_activation=None):
        super().__init__()
        self.layers = []
        self.out_activation = out_activation
        for n_in, n_out in zip(sizes[:-1], sizes[1:]):
            w = tf.Variable(tf.random.normal([n_in, n_out], stddev=(2.0 / n_in) ** 0.5))
            b = tf.Variable(tf.zeros([n_out]))
            self.layers.append((w, b))

    def __call__(self, x):
        for i, (w, b) in enumerate(self.layers):
            x = tf.matmul(x, w) + b
            if i < len(self.layers) - 1:
                x = tf.nn.leaky_relu(x, 0.2)
        return x if self.out_activation is None else self.out_activation(x)


gen = MLP([LATENT, 16, DATA])
critic = MLP([DATA, 16, 1])
g_opt_m = [tf.Variable(tf.zeros_like(v), trainable=False) for v in gen.trainable_variables]


def penalty(real, fake):
    eps = tf.random.uniform([real.shape[0], 1])
    mixed = eps * real + (1.0 - eps) * fake
    with tf.GradientTape() as t:
        t.watch(mixed)
        score = critic(mixed)
    g = t.gradient(score, mixed)
    norm = tf.sqrt(tf.reduce_sum(g ** 2, axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)


for step in range(4):
    real = tf.constant(rng.normal(2.0, 0.5, size=(BATCH, DATA)).astype("float32"))
    for _ in range(2):
        z = tf.random.normal([BATCH, LATENT])
        fake = gen(z)
        with tf.GradientTape() as tape:
            d_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
        grads = tape.gradient(d_loss, critic.trainable_variables)
        for v, g in zip(critic.trainable_variables, grads):
            if g is not None:
                v.assign_sub(0.01 * g)
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(gen(tf.random.normal([BATCH, LATENT]))))
    grads = tape.gradient(g_loss, gen.trainable_variables)
    for m, v, g in zip(g_opt_m, gen.trainable_variables, grads):
        m.assign(0.9 * m + g)
        v.assign_sub(0.01 * m)
print("RESULT:", d_loss.numpy(), g_loss.numpy())
