import tensorflow as tf


class Net:
    def __init__(self, sizes):
        self.layers = []
        for a, b in zip(sizes, sizes[1:]):
            w = tf.Variable(tf.random.normal([a, b], seed=3))  # cause
            b_ = tf.Variable(tf.zeros([b]))
            self.layers.append((w, b_))

    @property
    def trainable_variables(self):
        return [v for v in vars(self).values() if isinstance(v, tf.Variable)]  # cause

    def __call__(self, x):
        for w, b in self.layers:
            x = tf.nn.elu(x @ w + b)
        return x


net = Net([2, 3, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.ones([4, 2])) ** 2)
grads = tape.gradient(loss, net.trainable_variables)  # cause
print("RESULT:", grads)
