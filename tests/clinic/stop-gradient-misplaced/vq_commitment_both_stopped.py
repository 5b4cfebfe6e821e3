import tensorflow as tf

tf.random.set_seed(5)
codebook = tf.Variable(tf.random.normal([6, 3]))
encoder = tf.Variable(tf.random.normal([4, 3]))
x = tf.random.normal([10, 4])


def quantise(z):
    distances = tf.reduce_sum((z[:, None] - codebook[None]) ** 2, axis=-1)
    return tf.gather(codebook, tf.argmin(distances, axis=1))


with tf.GradientTape() as tape:
    z = x @ encoder
    e = quantise(z)
    commitment = tf.reduce_mean((z - tf.stop_gradient(e)) ** 2)
    codebook_loss = tf.reduce_mean((tf.stop_gradient(z) - tf.stop_gradient(e)) ** 2)  # cause
    loss = codebook_loss + 0.25 * commitment
grads = tape.gradient(loss, [encoder, codebook])
print("RESULT:", grads[1])
