"""Mixed precision with a fixed loss scale of 65536 that float16 cannot hold."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(17)
x = tf.constant(rng.normal(size=(24, 5)).astype("float16"))
y = tf.constant(rng.integers(0, 3, size=24))
master = [
    tf.Variable(rng.normal(0, 0.5, (5, 10)).astype("float32")),
    tf.Variable(rng.normal(0, 0.5, (10, 3)).astype("float32")),
]
LOSS_SCALE = 2.0 ** 16


def forward(x, weights):
    half = [tf.cast(w, tf.float16) for w in weights]
    return tf.nn.relu(x @ half[0]) @ half[1]


def scale_loss(loss):
    return loss * tf.cast(LOSS_SCALE, loss.dtype)  # cause


def unscale(grads):
    return [g / LOSS_SCALE for g in grads]


for step in range(2):
    with tf.GradientTape() as tape:
        logits = forward(x, master)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
        scaled = scale_loss(loss)
    grads = unscale(tape.gradient(scaled, master))
    for w, g in zip(master, grads):
        w.assign_sub(0.1 * g)
    print(step, loss.numpy(), np.isfinite(master[0].numpy()).all())
