import numpy as np
import tensorflow as tf

tf.random.set_seed(4)
rng = np.random.default_rng(4)
data = (rng.random((32, 12)) > 0.6).astype("float32")


class VAE(tf.Module):
    def __init__(self, d, h, z, name=None):
        super().__init__(name=name)
        init = tf.random_normal_initializer(stddev=0.2)
        self.enc = tf.Variable(init([d, h]))
        self.mu = tf.Variable(init([h, z]))
        self.logvar = tf.Variable(init([h, z]))
        self.dec1 = tf.Variable(init([z, h]))
        self.dec2 = tf.Variable(init([h, d]))

    def encode(self, x):
        h = tf.nn.relu(x @ self.enc)
        return h @ self.mu, h @ self.logvar

    def decode(self, z):
        return tf.nn.relu(z @ self.dec1) @ self.dec2

    def elbo(self, x, beta):
        mean, logvar = self.encode(x)
        eps = tf.random.normal(tf.shape(mean))
        z = mean + tf.exp(0.5 * logvar) * eps
        logits = self.decode(z)
        rec = tf.reduce_sum(tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits), axis=1)
        kl = -0.5 * tf.reduce_sum(1.0 + logvar - mean ** 2 - tf.exp(logvar), axis=1)
        return tf.reduce_mean(rec + beta * kl), tf.reduce_mean(rec), tf.reduce_mean(kl)


model = VAE(12, 8, 2)
log = {"rec": [], "kl": []}
for epoch in range(4):
    beta = min(1.0, epoch / 3)
    order = rng.permutation(32)
    for start in range(0, 32, 8):
        batch = data[order[start : start + 8]]
        with tf.GradientTape() as tape:
            loss, rec, kl = model.elbo(batch, beta)
        for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            v.assign_sub(0.02 * g)
    log["rec"].append(rec.numpy())
    log["kl"].append(kl.numpy())
print("RESULT:", np.mean(log["rec"]), np.mean(log["kl"]))
