import tensorflow as tf

tf.random.set_seed(5)
generator = tf.Variable(tf.random.normal([3, 8], stddev=0.3))


class TargetNet:
    def __init__(self, flat):
        self.w1 = tf.Variable(tf.reshape(flat[:4], [2, 2]))  # cause
        self.w2 = tf.Variable(tf.reshape(flat[4:], [2, 2]))  # cause

    def __call__(self, x):
        return tf.tanh(x @ self.w1) @ self.w2


z = tf.random.normal([1, 3])
x = tf.random.normal([5, 2])
with tf.GradientTape() as tape:
    net = TargetNet(tf.squeeze(z @ generator))
    loss = tf.reduce_mean((net(x) - x) ** 2)
print("RESULT:", tape.gradient(loss, generator))
