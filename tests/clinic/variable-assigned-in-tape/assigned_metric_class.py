import tensorflow as tf


class Mean:
    def __init__(self):
        self.total = tf.Variable(0.0)
        self.count = tf.Variable(0.0)

    def update(self, values):
        self.total.assign_add(tf.reduce_sum(values))  # cause
        self.count.assign_add(float(values.shape[0]))

    def result(self):
        return self.total / self.count  # cause


metric = Mean()
w = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    metric.update(w ** 2)
    loss = metric.result()
print(tape.gradient(loss, w))
