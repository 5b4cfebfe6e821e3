import tensorflow as tf

tf.random.set_seed(0)


class Net(tf.Module):
    def __init__(self, a, b, c):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal([a, b], stddev=0.5))
        self.w2 = tf.Variable(tf.random.normal([b, c], stddev=0.5))

    def __call__(self, x):
        return tf.nn.leaky_relu(x @ self.w1) @ self.w2


G, D = Net(2, 8, 3), Net(3, 8, 1)
real = tf.random.normal([16, 3])


def bce(logits, label):
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.ones_like(logits) * label, logits=logits))


def step(noise):
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = tf.stop_gradient(G(noise))  # cause
        d_loss = bce(D(real), 1.0) + bce(D(fake), 0.0)
        g_loss = bce(D(fake), 1.0)
    return g_tape.gradient(g_loss, G.trainable_variables), d_tape.gradient(d_loss, D.trainable_variables)


g_grads, d_grads = step(tf.random.normal([16, 2]))
print("RESULT:", g_grads)
