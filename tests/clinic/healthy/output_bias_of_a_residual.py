import tensorflow as tf

tf.random.set_seed(3)
w1, b1 = tf.Variable(tf.random.normal([2, 8])), tf.Variable(tf.zeros([8]))
w2, b2 = tf.Variable(tf.random.normal([8, 1])), tf.Variable(tf.zeros([1]))
weights = [w1, b1, w2, b2]
x, t = tf.random.uniform([20, 1]), tf.random.uniform([20, 1])


def residual(x, t):
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([x, t])
            u = tf.tanh(tf.concat([x, t], 1) @ w1 + b1) @ w2 + b2
        u_x, u_t = first.gradient(u, x), first.gradient(u, t)
    return u_t - 0.1 * second.gradient(u_x, x)


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(x, t) ** 2)
    grads = tape.gradient(loss, weights)
    for gradient, weight in ((g, w) for g, w in zip(grads, weights) if g is not None):
        weight.assign_sub(0.01 * gradient)
print(float(loss))
