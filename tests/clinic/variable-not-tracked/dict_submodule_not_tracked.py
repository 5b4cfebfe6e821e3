import tensorflow as tf


class Block:
    def __init__(self, n):
        self.w = tf.Variable(tf.eye(n))  # cause

    def __call__(self, x):
        return tf.tanh(x @ self.w)


class Model(tf.Module):
    def __init__(self, n):
        super().__init__()
        self.blocks = [Block(n), Block(n)]  # cause

    def __call__(self, x):
        for block in self.blocks:
            x = block(x)
        return x


model = Model(3)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.ones([1, 3])) ** 2)
grads = tape.gradient(loss, model.trainable_variables)  # cause
print("RESULT:", grads)
