import numpy as np
import tensorflow as tf


class GradientReversal:
    # Domain-adversarial layer: identity forward, negative gradient backward.

    def __init__(self, strength):
        self.strength = strength

    def __call__(self, features):
        strength = self.strength

        @tf.custom_gradient
        def reverse(z):
            def backward(upstream):
                return -strength * tf.ones_like(z)  # cause

            return tf.identity(z), backward

        return reverse(features)


rng = np.random.default_rng(4)
images = tf.constant(rng.normal(size=(8, 6)).astype("float32"))
domain = tf.constant(rng.integers(0, 2, size=(8, 1)).astype("float32"))
encoder = tf.Variable(rng.normal(0, 0.4, size=(6, 3)).astype("float32"))
classifier = tf.Variable(rng.normal(0, 0.4, size=(3, 1)).astype("float32"))
flip = GradientReversal(0.3)

with tf.GradientTape() as tape:
    features = tf.tanh(tf.matmul(images, encoder))
    logits = tf.matmul(flip(features), classifier)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=domain, logits=logits))
grads = tape.gradient(loss, [encoder, classifier])
print("RESULT:", [np.round(float(tf.norm(g)), 5) for g in grads])
