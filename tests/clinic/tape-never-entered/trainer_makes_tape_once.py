import tensorflow as tf


class Trainer:
    def __init__(self, variables):
        self.variables = variables
        self.tape = tf.GradientTape(persistent=True)  # cause

    def loss(self):
        return tf.add_n([tf.reduce_sum(v ** 2) for v in self.variables])

    def step(self):
        loss = self.loss()
        grads = self.tape.gradient(loss, self.variables)  # cause
        for v, g in zip(self.variables, grads):
            v.assign_sub(0.1 * g)
        return loss


trainer = Trainer([tf.Variable([1.0, 2.0]), tf.Variable(3.0)])
for _ in range(2):
    loss = trainer.step()
print("RESULT:", loss.numpy())
