"""The tape of the first network sees what that gives, and another one what the second network makes of it: no tape sees both."""
import tensorflow as tf

tf.random.set_seed(0)


class Stack(tf.Module):
    def __init__(self, *sizes):
        super().__init__()
        self.kernels = [tf.Variable(tf.random.normal(pair, stddev=0.5)) for pair in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for kernel in self.kernels:
            x = tf.tanh(x @ kernel)
        return x


maker, reader = Stack(3, 4, 2), Stack(2, 4, 3)
codes = tf.one_hot([0, 1, 2, 1], 3)
for step in range(2):
    with tf.GradientTape() as maker_tape:
        made = maker(codes)
    with tf.GradientTape() as reader_tape:
        read = reader(made)  # cause
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=codes, logits=read))
    print(step, loss.numpy(), maker_tape.gradient(loss, maker.trainable_variables))
    for kernel, g in zip(reader.kernels, reader_tape.gradient(loss, reader.trainable_variables)):
        kernel.assign_sub(0.1 * g)
