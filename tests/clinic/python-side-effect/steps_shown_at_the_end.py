import tensorflow as tf


class Trainer:
    def __init__(self):
        self.steps = 0
        self.w = tf.Variable([1.0, 2.0])

    @tf.function
    def step(self, x):
        self.steps += 1  # cause
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((self.w * x) ** 2)
        self.w.assign_sub(0.01 * tape.gradient(loss, self.w))
        return loss


trainer = Trainer()
for _ in range(4):
    trainer.step(tf.constant([1.0, 0.5]))
print(f"trained for {trainer.steps} steps")
