import tensorflow as tf

tf.random.set_seed(3)
w1, w2 = tf.Variable(tf.random.normal([4, 8])), tf.Variable(tf.random.normal([8, 1]))


def critic(x):
    return tf.tanh(x @ w1) @ w2


def gradient_penalty(x):
    with tf.GradientTape() as t:
        t.watch(x)
        out = critic(x)
    g = t.gradient(out, x)  # cause
    return tf.reduce_mean((tf.norm(g, axis=1) - 1.0) ** 2)


real, fake = tf.random.normal([6, 4]), tf.random.normal([6, 4])
penalty = gradient_penalty(0.5 * (real + fake))  # cause
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty
grads = tape.gradient(loss, [w1, w2])
print("RESULT:", [tf.norm(g).numpy() for g in grads])
