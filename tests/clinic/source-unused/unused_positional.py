import tensorflow as tf

tf.random.set_seed(9)


class TinyTransformer(tf.Module):
    def __init__(self):
        super().__init__()
        self.token = tf.Variable(tf.random.normal([10, 4]))
        self.position = tf.Variable(tf.random.normal([6, 4]))  # cause
        self.out = tf.Variable(tf.random.normal([4, 10]))

    def __call__(self, ids):
        h = tf.gather(self.token, ids)
        h = tf.nn.relu(h)
        return h @ self.out


m = TinyTransformer()
ids = tf.constant([[1, 2, 3], [4, 5, 6]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(ids, m(ids)))
grads = tape.gradient(loss, [m.token, m.position, m.out])  # cause
print("RESULT:", grads[1])
