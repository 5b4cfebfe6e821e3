import tensorflow as tf

tf.random.set_seed(7)
x = tf.random.normal([16, 4], mean=3.0)
y = tf.random.normal([16, 1])


class Normalise(tf.Module):
    def __init__(self):
        super().__init__()
        self.mean = tf.Variable(tf.zeros([4]), trainable=False)
        self.kernel = tf.Variable(tf.eye(4))

    def __call__(self, x):
        h = x @ self.kernel
        self.mean.assign(tf.reduce_mean(h, axis=0))  # cause
        return h - self.mean


layer = Normalise()
head = tf.Variable(tf.ones([4, 1]))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((layer(x) @ head - y) ** 2)
grads = tape.gradient(loss, [layer.kernel, head])
print("RESULT:", [tf.norm(g).numpy() for g in grads])
