import tensorflow as tf


class ExponentialDecay:
    def __init__(self, start, rate):
        self.start, self.rate = start, rate
        self.epoch = 0

    def __call__(self):
        return self.start * self.rate ** self.epoch  # cause

    def advance(self):
        self.epoch += 1


class Trainer:
    def __init__(self):
        self.schedule = ExponentialDecay(0.5, 0.5)
        self.theta = tf.Variable([2.0, -3.0])
        self.step = tf.function(self._step)

    def _step(self, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((self.theta - target) ** 2)
        self.theta.assign_sub(self.schedule() * tape.gradient(loss, self.theta))  # cause
        return loss


trainer = Trainer()
for _ in range(4):
    loss = trainer.step(tf.constant([0.0, 0.0]))
    trainer.schedule.advance()
print("RESULT:", trainer.theta.numpy(), loss.numpy())
