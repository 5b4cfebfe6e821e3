import tensorflow as tf

class Embedder(tf.Module):
    def __init__(self):
        self.table = tf.Variable([[0.1, 0.2], [0.1, 0.2], [0.5, 0.9]])

    def distance(self, i, j):
        a = tf.gather(self.table, i)
        b = tf.gather(self.table, j)
        return tf.norm(a - b, axis=-1)  # cause

model = Embedder()
with tf.GradientTape() as tape:
    d = model.distance([0, 1], [1, 2])
    loss = tf.reduce_mean(tf.square(d - 1.0))
g = tape.gradient(loss, model.table)
print(tf.convert_to_tensor(g))
