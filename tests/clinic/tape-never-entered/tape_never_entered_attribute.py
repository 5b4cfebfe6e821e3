import tensorflow as tf


class Step:
    def __init__(self):
        self.tape = tf.GradientTape(persistent=True)  # cause
        self.w = tf.Variable([1.0, 2.0])

    def run(self):
        loss = tf.reduce_sum(self.w ** 2)
        return self.tape.gradient(loss, self.w)  # cause


print(Step().run())
