import tensorflow as tf

embedding = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
generator = {"w": tf.Variable([[1.0, 0.0], [0.5, 1.0]]), "b": tf.Variable([0.0, 0.0])}
discriminator = {"w": tf.Variable([[1.0], [0.5]]), "b": tf.Variable([0.0])}
classes = tf.constant([0, 1, 1])
real = tf.constant([[1.0, 2.0], [0.5, 0.1], [0.2, 0.4]])


def judge(x):
    return (x + tf.gather(embedding, classes)) @ discriminator["w"] + discriminator["b"]


with tf.GradientTape() as tape:
    d_loss = tf.reduce_mean(tf.nn.softplus(-judge(real)))
grads = tape.gradient(d_loss, [embedding, generator["w"], generator["b"]])  # cause
print(grads)
