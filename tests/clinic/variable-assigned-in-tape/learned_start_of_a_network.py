import tensorflow as tf


class Learner:
    def __init__(self):
        self.weights = {"w": tf.Variable([[0.3, -0.2]]), "v": tf.Variable([[0.4], [0.1]])}

    def __call__(self, x):
        return tf.tanh(x @ self.weights["w"]) @ self.weights["v"]

    def adapt(self, x, y, rate):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        for key, gradient in tape.gradient(loss, self.weights).items():
            self.weights[key].assign(self.weights[key] - rate * gradient)  # cause


learner = Learner()
x = tf.constant([[0.5], [1.0]])
with tf.GradientTape() as meta:
    learner.adapt(x, tf.sin(x), 0.1)
    loss = tf.reduce_mean((learner(x + 0.1) - tf.sin(x + 0.1)) ** 2)
print(meta.gradient(loss, learner.weights))
