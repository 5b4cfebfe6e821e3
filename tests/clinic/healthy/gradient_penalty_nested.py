import tensorflow as tf

tf.random.set_seed(2)
w1 = tf.Variable(tf.random.normal([3, 8], stddev=0.4))
w2 = tf.Variable(tf.random.normal([8, 1], stddev=0.4))
real, fake = tf.random.normal([10, 3]), tf.random.normal([10, 3]) + 1.0


def critic(x):
    return tf.nn.leaky_relu(x @ w1) @ w2


with tf.GradientTape() as tape:
    eps = tf.random.uniform([10, 1])
    mixed = eps * real + (1.0 - eps) * fake
    with tf.GradientTape() as gp:
        gp.watch(mixed)
        score = critic(mixed)
    slopes = tf.sqrt(tf.reduce_sum(gp.gradient(score, mixed) ** 2, axis=1) + 1e-12)
    loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * tf.reduce_mean((slopes - 1.0) ** 2)
grads = tape.gradient(loss, [w1, w2])
print("RESULT:", [tf.norm(g).numpy() for g in grads])
