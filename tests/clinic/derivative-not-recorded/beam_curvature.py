import tensorflow as tf

tf.random.set_seed(5)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([1, 10]), name="w1")
        self.w2 = tf.Variable(tf.random.normal([10, 1]), name="w2")

    def __call__(self, x):
        return tf.tanh(x @ self.w1) @ self.w2


def second_derivative(net, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            u = net(x)
    du = inner.gradient(u, x)  # cause
    return outer.gradient(du, x)


net = Net()
x = tf.reshape(tf.linspace(0.0, 1.0, 11), (-1, 1))
print("RESULT:", second_derivative(net, x))
