import tensorflow as tf

tf.random.set_seed(1)
w = tf.Variable(tf.random.normal([3, 3], stddev=0.4))
u = tf.Variable(tf.random.normal([2, 3], stddev=0.4))
stream = tf.random.normal([12, 1, 2])
state = tf.zeros([1, 3])
for start in range(0, 12, 4):
    with tf.GradientTape() as tape:
        s = state
        loss = 0.0
        for t in range(start, start + 4):
            s = tf.tanh(s @ w + stream[t] @ u)
            loss += tf.reduce_mean((s[:, :2] - stream[t]) ** 2)
    gw, gu = tape.gradient(loss, [w, u])
    w.assign_sub(0.1 * gw)
    u.assign_sub(0.1 * gu)
    state = tf.stop_gradient(s)
print("RESULT:", loss.numpy())
