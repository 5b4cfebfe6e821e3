"""A compiled step regularises every fourth time by a counter in Python, which it read once."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(80)


class Trainer:
    def __init__(self):
        self.w = tf.Variable(rng.normal(0, 0.4, (4, 1)).astype("float32"))
        self.iteration = 0

    def penalty(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            score = tf.reduce_sum(tf.nn.softplus(x @ self.w))
        return tf.reduce_mean(tape.gradient(score, x) ** 2)

    @tf.function
    def step(self, real, fake):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softplus(fake @ self.w) + tf.nn.softplus(-(real @ self.w)))
            if self.iteration % 4 == 0:  # cause
                loss += 10.0 * self.penalty(real)
        self.w.assign_sub(0.01 * tape.gradient(loss, self.w))
        return loss


trainer = Trainer()
for trainer.iteration in range(8):
    real = tf.constant(rng.normal(1, 1, (6, 4)).astype("float32"))
    fake = tf.constant(rng.normal(0, 1, (6, 4)).astype("float32"))
    print(trainer.iteration, trainer.step(real, fake).numpy())
