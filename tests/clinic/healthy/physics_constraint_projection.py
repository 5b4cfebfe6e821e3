import tensorflow as tf

x = tf.Variable([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
lengths = tf.constant([1.0, 1.0])
for _ in range(4):
    with tf.GradientTape() as tape:
        d = x[1:] - x[:-1]
        stretch = tf.sqrt(tf.reduce_sum(d ** 2, axis=1) + 1e-9) - lengths
        gravity = tf.reduce_sum(x[:, 1])
        energy = 50.0 * tf.reduce_sum(stretch ** 2) + gravity
    g = tape.gradient(energy, x)
    fixed = tf.constant([[0.0], [1.0], [1.0]])
    x.assign_sub(0.005 * g * fixed)
print("RESULT:", x.numpy())
