import tensorflow as tf

def cross_entropy(p, y):
    return -tf.reduce_mean(tf.reduce_sum(y * tf.math.log(p), axis=1))  # cause

w = tf.Variable(tf.constant([[60.0, -60.0, 0.0]]))
y = tf.constant([[0.0, 1.0, 0.0]])
with tf.GradientTape() as tape:
    p = tf.nn.softmax(2.0 * w)
    loss = cross_entropy(p, y)
print(loss, tape.gradient(loss, w))
