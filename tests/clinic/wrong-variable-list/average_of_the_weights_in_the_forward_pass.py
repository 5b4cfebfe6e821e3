"""The forward pass reads the moving average of the weights, which is meant for evaluation, while it is trained too."""
import tensorflow as tf

tf.random.set_seed(0)


class Averaged(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal((3, 1)))
        self.average = tf.Variable(self.kernel, trainable=False)

    def __call__(self, x, use_average=True):
        return x @ (self.average if use_average else self.kernel)  # cause

    def follow(self):
        self.average.assign(0.9 * self.average + 0.1 * self.kernel)


net = Averaged()
x = tf.random.normal((8, 3))
for step in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - 1.0))
    print(step, loss.numpy(), tape.gradient(loss, net.trainable_variables))
    net.follow()
