"""The learning rate decays in Python, and the compiled step does not notice."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(21)
x = tf.constant(rng.normal(size=(100, 3)).astype("float32"))
y = tf.constant((x.numpy() @ np.array([[1.0], [2.0], [-1.0]])).astype("float32"))


class Trainer:
    def __init__(self):
        self.w = tf.Variable(tf.zeros([3, 1]))
        self.rate = 0.2
        self.decay = 0.5

    @tf.function
    def step(self, inputs, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((inputs @ self.w - targets) ** 2)
        slope = tape.gradient(loss, self.w)
        self.w.assign_sub(self.rate * slope)  # cause
        return loss

    def run(self, epochs):
        for epoch in range(epochs):
            loss = self.step(x, y)
            self.rate *= self.decay
            print(epoch, self.rate, float(loss))


trainer = Trainer()
trainer.run(6)
print(trainer.w.numpy().ravel())
