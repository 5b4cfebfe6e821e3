"""Embeddings are replaced by the nearest code of a table: nothing carries the gradient past the choice."""
import tensorflow as tf

tf.random.set_seed(3)
encode = tf.Variable(tf.random.normal((10, 4), stddev=0.3))
table = tf.Variable(tf.random.normal((8, 4)))
decode = tf.Variable(tf.random.normal((4, 10), stddev=0.3))
x = tf.random.normal((32, 10))


def quantise(z):
    distance = tf.reduce_sum((z[:, None] - table[None]) ** 2, axis=-1)
    code = tf.gather(table, tf.argmin(distance, axis=1))  # cause
    return code, tf.reduce_mean((tf.stop_gradient(z) - code) ** 2)


for _ in range(3):
    with tf.GradientTape() as tape:
        code, table_loss = quantise(x @ encode)
        loss = tf.reduce_mean((code @ decode - x) ** 2) + table_loss
    for variable, slope in zip([encode, table, decode], tape.gradient(loss, [encode, table, decode])):
        if slope is not None:
            variable.assign_sub(0.1 * tf.convert_to_tensor(slope))
    print(loss.numpy())
