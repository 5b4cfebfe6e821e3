"""A penalty on small values: its slope times one over the number of pixels is below what float16 holds."""
import tensorflow as tf

tf.random.set_seed(0)
mixing = tf.Variable(tf.random.normal((3, 1), stddev=0.1))
image = tf.random.uniform((1, 200, 200, 3), 0.0, 0.05)


def penalty(mask):
    cubes = tf.pow(mask, tf.constant(3.0, tf.float16))  # cause
    return tf.reduce_mean(mask * 0.5 + cubes)


for step in range(2):
    with tf.GradientTape() as tape:
        mask = tf.cast(tf.nn.relu(tf.tensordot(image, tf.abs(mixing), 1)), tf.float16)
        loss = penalty(mask)
    mixing.assign_sub(tape.gradient(loss, mixing))
    print(step, loss.numpy())
