import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        w = tf.Variable(tf.random.normal([n_in, n_out], seed=1))  # cause
        b = tf.Variable(tf.zeros([n_out]))  # cause
        self.forward = lambda x: tf.matmul(x, w) + b  # cause

    def __call__(self, x):
        return tf.nn.relu(self.forward(x))


model = Dense(3, 2)
x = tf.constant([[1.0, 2.0, 3.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
grads = tape.gradient(loss, model.trainable_variables)  # cause
print("RESULT:", list(grads))
