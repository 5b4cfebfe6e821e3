import tensorflow as tf

class Encoder:
    def __init__(self):
        self.kernel = tf.Variable(tf.fill([3, 2], 40.0))

    def __call__(self, x):
        return tf.matmul(x, self.kernel)


encoder = Encoder()
batch = tf.constant([[1.0, 2.0, 3.0], [0.1, 0.1, 0.1]])
with tf.GradientTape() as tape:
    log_var = encoder(batch)
    kl = 0.5 * tf.reduce_sum(
        tf.exp(log_var) - 1.0 - log_var,  # cause
        axis=1,
    )
    loss = tf.reduce_mean(kl)
print(tape.gradient(loss, encoder.kernel))
