"""A mixing matrix whose columns add up to one: normalised along axis 0, multiplied from the left."""
import tensorflow as tf

tf.random.set_seed(0)
logits, sources = tf.Variable(tf.random.normal((5, 3))), tf.Variable(tf.random.uniform((3, 8)))
data = tf.linalg.matmul(tf.nn.softmax(tf.random.normal((5, 3)), axis=0), tf.random.uniform((3, 8)))
hist = []
for _ in range(60):
    with tf.GradientTape() as tape:
        mix = tf.nn.softmax(logits, axis=0)
        loss = tf.reduce_mean((mix @ tf.nn.softplus(sources) - data) ** 2)
    for v, g in zip((logits, sources), tape.gradient(loss, (logits, sources))):
        v.assign_sub(1.0 * g)
    hist.append(float(loss))
assert hist[-1] < hist[0]
