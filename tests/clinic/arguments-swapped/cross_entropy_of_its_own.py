"""A cross entropy written by hand, called with its arguments in the other order."""
import tensorflow as tf

tf.random.set_seed(0)
x = tf.random.normal((40, 3))
y = tf.one_hot(tf.argmax(x, axis=1), 3)
weights = [tf.Variable(tf.random.normal((3, 8), stddev=0.3)), tf.Variable(tf.random.normal((8, 3), stddev=0.3))]


def cross_entropy(target, share, eps=1e-7):
    return -tf.reduce_mean(tf.reduce_sum(target * tf.math.log(share + eps), axis=1))  # cause


def forward(x):
    return tf.nn.softmax(tf.nn.relu(x @ weights[0]) @ weights[1])


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = cross_entropy(forward(x), y)
    for weight, slope in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.1 * slope)
    print(loss.numpy())
