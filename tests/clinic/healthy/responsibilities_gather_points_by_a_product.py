import tensorflow as tf
tf.random.set_seed(0)
x = tf.random.normal([20, 6])
centres = tf.Variable(tf.random.normal([4, 6]))
for _ in range(2):
    with tf.GradientTape() as tape:
        d = tf.reduce_sum((x[:, None] - centres[None]) ** 2, axis=-1)
        resp = tf.nn.softmax(-d / 2.0, axis=1)
        mass = tf.matmul(resp, x, transpose_a=True)
        means = mass / tf.reduce_sum(resp, axis=0)[:, None]
        loss = tf.reduce_mean((means - centres) ** 2)
    g = tape.gradient(loss, centres)
    centres.assign_sub(0.001 * g)
print("RESULT:", loss.numpy())
