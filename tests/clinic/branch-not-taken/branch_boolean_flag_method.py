import tensorflow as tf


class Block:
    def __init__(self, use_bias=False):
        self.use_bias = use_bias
        self.kernel = tf.Variable(tf.ones([2, 2]))
        self.bias = tf.Variable(tf.zeros([2]))

    def __call__(self, x):
        y = x @ self.kernel
        if self.use_bias:  # cause
            y += self.bias  # cause
        return y


block = Block()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(block(tf.ones([1, 2])))
grads = tape.gradient(loss, [block.kernel, block.bias])
print(grads)
