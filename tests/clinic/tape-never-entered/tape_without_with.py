import tensorflow as tf

w = tf.Variable([1.0, 2.0])


class Trainer:
    def __init__(self):
        self.tape = tf.GradientTape(persistent=True)  # cause

    def step(self):
        loss = tf.reduce_sum(w ** 2)
        return self.tape.gradient(loss, w)  # cause


print("RESULT:", Trainer().step())
