"""Each layer takes its step as soon as it has its gradient, from one persistent tape."""
import tensorflow as tf

tf.random.set_seed(0)
ws = [tf.Variable(tf.random.normal((4, 4)) * 0.5) for _ in range(6)]
x = tf.random.normal((16, 4))
for step in range(5):
    with tf.GradientTape(persistent=True) as tape:
        h = x
        for w in ws:
            h = tf.tanh(h @ w)
        loss = tf.reduce_mean((h - 0.3) ** 2)
    norms = []
    for w in ws:
        g = tape.gradient(loss, w)
        norms.append(float(tf.norm(g)))
        w.assign_sub(0.2 * g)
    del tape
assert len(norms) == 6
