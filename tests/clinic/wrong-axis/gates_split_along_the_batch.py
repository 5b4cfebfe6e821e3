import tensorflow as tf


class Cell(tf.Module):
    def __init__(self, inputs, units):
        self.kernel = tf.Variable(tf.random.normal([inputs + units, 4 * units], seed=0) * 0.1)
        self.bias = tf.Variable(tf.zeros([4 * units]))

    def __call__(self, x, h, c):
        z = tf.concat([x, h], 1) @ self.kernel + self.bias
        admit, forget, new, show = tf.split(z, 4, axis=0)  # cause
        c = tf.sigmoid(forget) * c + tf.sigmoid(admit) * tf.tanh(new)
        return tf.sigmoid(show) * tf.tanh(c), c


cell = Cell(3, 6)
series = tf.random.normal([8, 5, 3], seed=1)
with tf.GradientTape() as tape:
    h = c = tf.zeros([8, 6])
    for t in range(5):
        h, c = cell(series[:, t], h, c)
    loss = tf.reduce_mean(h**2)
print("RESULT:", tape.gradient(loss, cell.trainable_variables)[1][:3])
