"""A compiled step takes the learning rate as a tensor from a schedule; it starts from 0 while warming up."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(34)
x = tf.constant(rng.normal(size=(40, 6)).astype("float32"))
y = tf.constant((rng.normal(size=(40, 1)) > 0).astype("float32"))
model = [tf.Variable(rng.normal(0, 0.3, (6, 8)).astype("float32")), tf.Variable(rng.normal(0, 0.3, (8, 1)).astype("float32"))]
velocity = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model]
step = tf.Variable(0, trainable=False, dtype=tf.int64)


def schedule(step, warmup=3.0, total=10.0, peak=0.3):
    s = tf.cast(step, tf.float32)
    cosine = 0.5 * peak * (1.0 + tf.cos(np.pi * (s - warmup) / (total - warmup)))
    return tf.where(s < warmup, peak * s / warmup, cosine)


@tf.function
def train(x, y):
    with tf.GradientTape() as tape:
        logits = tf.nn.elu(x @ model[0]) @ model[1]
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        loss += 1e-4 * tf.add_n([tf.nn.l2_loss(v) for v in model])
    rate = schedule(step)
    for v, m, g in zip(model, velocity, tape.gradient(loss, model)):
        m.assign(0.9 * m + tf.clip_by_norm(g, 1.0))
        v.assign_sub(rate * m)
    step.assign_add(1)
    return loss, rate


for _ in range(6):
    loss, rate = train(x, y)
    print(loss.numpy(), rate.numpy())
