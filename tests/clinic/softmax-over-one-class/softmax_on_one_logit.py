import tensorflow as tf

tf.random.set_seed(2)
x = tf.random.normal([12, 5])
y = tf.cast(tf.random.uniform([12, 1]) > 0.5, tf.float32)
kernel = tf.Variable(tf.random.normal([5, 1]))
bias = tf.Variable([0.0])


def predict(x):
    return tf.nn.softmax(x @ kernel + bias)  # cause


with tf.GradientTape() as tape:
    p = predict(x)
    loss = -tf.reduce_mean(y * tf.math.log(p + 1e-7) + (1 - y) * tf.math.log(1 - p + 1e-7))
print("RESULT:", [g.numpy().tolist() for g in tape.gradient(loss, [kernel, bias])])
