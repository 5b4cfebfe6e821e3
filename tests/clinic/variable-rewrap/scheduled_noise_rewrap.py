import numpy as np
import tensorflow as tf

rng = np.random.default_rng(19)
betas = tf.Variable(np.linspace(0.01, 0.2, 5).astype("float32"))


class Diffusion:
    def __init__(self, betas):
        self.betas = betas

    def prepare(self):
        alphas = 1.0 - self.betas
        self.alpha_bar = tf.Variable(tf.math.cumprod(alphas), trainable=True)  # cause

    def noisy(self, x, t, eps):
        a = tf.gather(self.alpha_bar, t)[:, None]
        return tf.sqrt(a) * x + tf.sqrt(1.0 - a) * eps


x = rng.normal(size=(3, 2)).astype("float32")
eps = rng.normal(size=(3, 2)).astype("float32")
model = Diffusion(betas)
with tf.GradientTape() as tape:
    model.prepare()
    loss = tf.reduce_mean(model.noisy(x, [0, 2, 4], eps) ** 2)
print("RESULT:", tape.gradient(loss, betas))
