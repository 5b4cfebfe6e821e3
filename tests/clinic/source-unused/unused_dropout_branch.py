import tensorflow as tf

tf.random.set_seed(6)


class TwoLayer(tf.Module):
    def __init__(self):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([4, 4]), name="w1")
        self.w2 = tf.Variable(tf.random.normal([4, 4]), name="w2")
        self.w3 = tf.Variable(tf.random.normal([4, 1]), name="w3")

    def __call__(self, x):
        h = tf.tanh(x @ self.w1)
        h2 = tf.tanh(h @ self.w2)
        return h @ self.w3  # cause


net = TwoLayer()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.random.normal([6, 4])) ** 2)
grads = tape.gradient(loss, [net.w1, net.w2, net.w3])
print("RESULT:", [None if g is None else tf.norm(g).numpy() for g in grads])
