"""Many one-dimensional regressions at once: (members, 1) weights against (points,)."""
import tensorflow as tf

tf.random.set_seed(0)
slopes = tf.Variable(tf.random.normal((10, 1)))
offsets = tf.Variable(tf.random.normal((10, 1)))
x = tf.linspace(-1.0, 1.0, 10)
y = 2.0 * x + 1.0
hist = []
for _ in range(100):
    with tf.GradientTape() as tape:
        prediction = slopes * x + offsets
        loss = tf.reduce_sum(tf.reduce_mean((prediction - y) ** 2, axis=1))
    ds, do = tape.gradient(loss, [slopes, offsets])
    slopes.assign_sub(0.3 * ds)
    offsets.assign_sub(0.3 * do)
    hist.append(float(loss))
assert hist[-1] < 1e-2 * hist[0]
