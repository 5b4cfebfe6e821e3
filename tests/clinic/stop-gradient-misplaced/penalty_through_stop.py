import tensorflow as tf

tf.random.set_seed(6)
w = tf.Variable(tf.random.normal([4, 4]))
x = tf.random.normal([7, 4])


class Encoder(tf.Module):
    def __init__(self, w):
        super().__init__()
        self.w = w

    def __call__(self, x):
        return tf.stop_gradient(tf.tanh(x @ self.w))  # cause


encoder, head = Encoder(w), tf.Variable(tf.random.normal([4, 1]))
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((encoder(x) @ head - 1.0) ** 2)
g_enc, g_head = tape.gradient(loss, [encoder.w, head])
print("RESULT:", g_enc)
