"""An auxiliary input that is not there yet: zeros stand in for it, the head for it exists already."""
import tensorflow as tf

tf.random.set_seed(0)
w_main, w_aux, b = tf.Variable(tf.random.normal((4, 1))), tf.Variable(tf.random.normal((2, 1))), tf.Variable(tf.zeros(1))
x = tf.random.normal((40, 4))
aux = tf.zeros((40, 2))
y = x @ tf.constant([[1.0], [-1.0], [2.0], [0.0]]) + 1.0
hist = []
for _ in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w_main + aux @ w_aux + b - y) ** 2)
    for v, g in zip((w_main, w_aux, b), tape.gradient(loss, (w_main, w_aux, b))):
        v.assign_sub(0.1 * g)
    hist.append(float(loss))
assert hist[-1] < 0.05 * hist[0]
