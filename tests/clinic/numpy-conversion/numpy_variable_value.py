import tensorflow as tf

kernel = tf.Variable([[1.0, 0.5], [0.2, 0.3]])
bias = tf.Variable([0.0, 0.0])


def forward(x):
    return tf.linalg.matvec(tf.constant(kernel.numpy()), x) + bias  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum(forward(tf.constant([1.0, 2.0])) ** 2)
print(tape.gradient(loss, [kernel, bias]))
