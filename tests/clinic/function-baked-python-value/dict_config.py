import tensorflow as tf

config = {"beta": 0.0, "steps": 3}


class VAE(tf.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.mu = tf.Variable([0.3, -0.8])
        self.logvar = tf.Variable([0.0, 0.1])

    @tf.function
    def loss(self, x):
        recon = tf.reduce_sum((x - self.mu) ** 2)
        kl = -0.5 * tf.reduce_sum(1 + self.logvar - self.mu ** 2 - tf.exp(self.logvar))
        return recon + self.config["beta"] * kl  # cause


vae = VAE(config)
x = tf.constant([1.0, 0.5])
for epoch in range(config["steps"]):
    config["beta"] = epoch / 2
    with tf.GradientTape() as tape:
        value = vae.loss(x)
    grads = tape.gradient(value, vae.trainable_variables)
print("RESULT:", [g.numpy() for g in grads])
