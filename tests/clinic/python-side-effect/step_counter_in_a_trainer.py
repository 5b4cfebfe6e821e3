import tensorflow as tf


class Trainer:
    def __init__(self):
        self.steps = 0
        self.w = tf.Variable(4.0)

    @tf.function
    def update(self, x):
        self.steps += 1  # cause
        with tf.GradientTape() as tape:
            loss = (self.w * x - 1.0) ** 2
        self.w.assign_sub(0.05 * tape.gradient(loss, self.w))
        return loss


trainer = Trainer()
while trainer.steps < 5:
    loss = trainer.update(tf.constant(0.5))
    if trainer.steps % 2 == 0:
        print("checkpoint", trainer.steps)
    if loss < 0.5:
        break
print("RESULT:", trainer.w.numpy())
