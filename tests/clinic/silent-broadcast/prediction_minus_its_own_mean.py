import tensorflow as tf

w, b = tf.Variable([[0.3]]), tf.Variable([0.1])
x = tf.constant([[0.1], [0.5], [0.9], [1.4]])
y = tf.constant([[1.0], [2.0], [3.0], [4.5]])


def centre(p):
    return p - tf.reduce_mean(p, axis=1)  # cause


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((centre(x @ w + b) - y) ** 2)
    for v, g in zip((w, b), tape.gradient(loss, (w, b))):
        v.assign_sub(0.1 * g)
print(w.numpy(), b.numpy())
