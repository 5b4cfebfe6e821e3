import tensorflow as tf

q, p = tf.Variable([1.0, 0.2]), tf.Variable([0.0, 0.5])


def energy():
    return 0.5 * tf.reduce_sum(p**2) - tf.reduce_sum(tf.cos(q))


for _ in range(5):
    with tf.GradientTape() as tape:
        h = energy()
    dq, dp = tape.gradient(h, [q, p])
    p.assign_sub(0.1 * dq)
    q.assign_add(0.1 * dp)
print(q.numpy(), p.numpy())
