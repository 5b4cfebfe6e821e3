import tensorflow as tf

TRACES = 0


class Trainer:
    def __init__(self):
        self.w = tf.Variable([3.0, 1.0])
        self.history = []
        self.epoch = 0
        self.lr = 0.1

    @tf.function
    def step(self, x):
        global TRACES
        TRACES += 1
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((self.w * x - 1.0) ** 2)
        grad = tape.gradient(loss, self.w)
        self.w.assign_sub(self.lr * grad)
        return loss

    def fit(self, epochs):
        for self.epoch in range(epochs):
            self.history.append(float(self.step(tf.constant([1.0, 0.5]))))


t = Trainer()
t.fit(4)
print("RESULT:", t.history[-1], t.epoch)
