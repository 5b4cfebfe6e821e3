import tensorflow as tf

tf.random.set_seed(0)


class Conv:
    def __init__(self, k, cin, cout):
        self.filters = tf.Variable(tf.random.normal([k, k, cin, cout], stddev=0.1))  # cause

    def __call__(self, x):
        return tf.nn.relu(tf.nn.conv2d(x, self.filters, 1, "SAME"))


class UNet:
    def __init__(self):
        self.down = Conv(3, 1, 4)
        self.middle = Conv(3, 4, 4)  # cause
        self.up = Conv(3, 4, 1)

    def __call__(self, x):
        skip = self.down(x)
        bottom = self.middle(skip)  # cause
        return self.up(skip)  # cause


net = UNet()
image = tf.random.uniform([2, 6, 6, 1])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((net(image) - image) ** 2)
variables = [net.down.filters, net.middle.filters, net.up.filters]
print("RESULT:", [g is None for g in tape.gradient(loss, variables)])
