import tensorflow as tf

w = tf.Variable([[0.31, -0.72], [0.05, 0.44]])
x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
y = tf.constant([[0.2], [0.9], [-0.4]])


def quantise(v, bits=4):
    scale = tf.stop_gradient(tf.reduce_max(tf.abs(v))) / (2 ** (bits - 1) - 1)
    q = tf.round(v / scale) * scale
    return v + tf.stop_gradient(q - v)


for _ in range(20):
    with tf.GradientTape() as tape:
        out = tf.reduce_sum(tf.matmul(x, quantise(w)), axis=1, keepdims=True)
        loss = tf.reduce_mean((out - y) ** 2)
    w.assign_sub(0.05 * tape.gradient(loss, w))
print("RESULT:", loss.numpy())
