import tensorflow as tf

tf.random.set_seed(3)


class Attention(tf.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = tf.Variable(tf.random.normal([dim, dim]) * 0.3)
        self.key = tf.Variable(tf.random.normal([dim, dim]) * 0.3)

    def __call__(self, x):
        scores = tf.matmul(x @ self.query, x @ self.key, transpose_b=True)
        return tf.nn.softmax(scores) @ x


class Block(tf.Module):
    def __init__(self, dim, min_length=16):
        super().__init__()
        self.attention = Attention(dim)
        self.dense = tf.Variable(tf.random.normal([dim, dim]) * 0.3)
        self.min_length = min_length

    def __call__(self, x):
        x = self.attention(x) if x.shape[1] >= self.min_length else x  # cause
        return tf.nn.gelu(x @ self.dense)


block = Block(4)
sequence = tf.random.normal([2, 8, 4])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(block(sequence) ** 2)
names = ["attention.query", "attention.key", "dense"]
variables = [block.attention.query, block.attention.key, block.dense]
print("RESULT:", dict(zip(names, [g is None for g in tape.gradient(loss, variables)])))
