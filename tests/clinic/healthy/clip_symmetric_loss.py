import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
n = 8
images, texts = rng.normal(size=(n, 6)).astype("float32"), rng.normal(size=(n, 5)).astype("float32")
wi = tf.Variable(rng.normal(0, 0.4, (6, 4)).astype("float32"))
wt = tf.Variable(rng.normal(0, 0.4, (5, 4)).astype("float32"))
log_scale = tf.Variable(1.0)
labels = tf.range(n)
for _ in range(5):
    with tf.GradientTape() as tape:
        i = tf.math.l2_normalize(images @ wi, axis=-1)
        t = tf.math.l2_normalize(texts @ wt, axis=-1)
        sims = tf.exp(log_scale) * i @ tf.transpose(t)
        by_row = tf.gather(tf.nn.log_softmax(sims, axis=1), labels, batch_dims=1)
        by_column = tf.gather(tf.nn.log_softmax(sims, axis=0), labels, batch_dims=1)
        loss = -0.5 * tf.reduce_mean(by_row + by_column)
    for v, g in zip([wi, wt, log_scale], tape.gradient(loss, [wi, wt, log_scale])):
        v.assign_sub(0.1 * g)
print("RESULT:", loss.numpy())
