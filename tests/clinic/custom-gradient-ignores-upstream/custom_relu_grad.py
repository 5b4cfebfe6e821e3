import tensorflow as tf


@tf.custom_gradient
def smooth_relu(x):
    y = tf.nn.relu(x)

    def backward(dy):
        slope = tf.sigmoid(4.0 * x)
        return slope  # cause

    return y, backward


w = tf.Variable([[0.5, -0.3], [0.1, 0.9]])
x = tf.constant([[1.0, 2.0], [3.0, -1.0]])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((smooth_relu(x @ w) - 5.0) ** 2)
print("RESULT:", tape.gradient(loss, w).numpy())
