import tensorflow as tf

tf.random.set_seed(4)
w = tf.Variable(tf.random.normal([5, 6]))
x = tf.random.normal([6, 5])


def layer_norm(h):
    mean = tf.reduce_mean(h, axis=1)  # cause
    std = tf.math.reduce_std(h, axis=1)  # cause
    return (h - mean) / (std + 1e-5)  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.nn.relu(layer_norm(x @ w)) ** 2)
print("RESULT:", tf.norm(tape.gradient(loss, w)).numpy())
