"""A reversal layer returns minus lambda, and forgets what comes from above."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(117)


def reversal(strength):
    @tf.custom_gradient
    def layer(x):
        def grad(upstream):
            return -strength * tf.ones_like(x)  # cause

        return tf.identity(x), grad

    return layer


w = {
    "features": tf.Variable(rng.normal(0, 0.4, (5, 4)).astype("float32")),
    "label": tf.Variable(rng.normal(0, 0.4, (4, 3)).astype("float32")),
    "domain": tf.Variable(rng.normal(0, 0.4, (4, 2)).astype("float32")),
}
x = tf.constant(rng.normal(size=(10, 5)).astype("float32"))
labels, domains = rng.integers(0, 3, 10), rng.integers(0, 2, 10)
reverse = reversal(0.3)
ce = tf.nn.sparse_softmax_cross_entropy_with_logits
for _ in range(3):
    with tf.GradientTape() as tape:
        z = tf.tanh(x @ w["features"])
        task = tf.reduce_mean(ce(labels=labels, logits=z @ w["label"]))
        domain = tf.reduce_mean(ce(labels=domains, logits=reverse(z) @ w["domain"]))
        loss = task + domain
    for name, g in tape.gradient(loss, w).items():
        w[name].assign_sub(0.1 * g)
    print(loss.numpy())
