import tensorflow as tf

tf.random.set_seed(1)
w = tf.Variable(tf.random.normal([3, 2]))
x = tf.random.normal([5, 3])


def normalise(h):
    mean, variance = tf.nn.moments(h, axes=[0])  # cause
    return (h - mean) / tf.sqrt(variance + 1e-5)  # cause


with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.tanh(normalise(x @ w))
j = tape.batch_jacobian(y, x)  # cause
print("RESULT:", j[0].numpy())
