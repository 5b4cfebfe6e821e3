import tensorflow as tf


class Sgd:
    def __init__(self, rate):
        self.rate = rate

    def update(self, variable, gradient):
        variable.assign_sub(self.rate * gradient)


centre, width = tf.Variable([0.2, 0.8]), tf.Variable([1.0, 1.5])
x = tf.constant([[0.1, 0.5], [0.9, 1.4]])
sgd = Sgd(0.1)
for step in range(3):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(((x - centre) / width) ** 2 + 2.0 * tf.math.log(width))
    d_centre = tape.gradient(loss, centre)
    d_width = tape.gradient(loss, width)
    del tape
    sgd.update(centre, d_centre)
    sgd.update(width, d_centre)  # cause
print(centre.numpy(), width.numpy())
