"""The loss itself is clipped to keep it from exploding, and lies above the limit from the start."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(108)
x = tf.constant(rng.normal(size=(20, 3)).astype("float32"))
y = tf.constant(rng.normal(10, 1, size=(20, 1)).astype("float32"))
layers = [(tf.Variable(rng.normal(0, 0.4, s).astype("float32")), tf.Variable(tf.zeros(s[1]))) for s in [(3, 6), (6, 1)]]


def forward(x):
    (w1, b1), (w2, b2) = layers
    return tf.nn.elu(x @ w1 + b1) @ w2 + b2


def safe_loss(y, p):
    raw = tf.reduce_mean(tf.square(y - p))
    return tf.clip_by_value(raw, 0.0, 1.0)  # cause


flat = [v for pair in layers for v in pair]
for step in range(5):
    with tf.GradientTape() as tape:
        loss = safe_loss(y, forward(x))
    for v, g in zip(flat, tape.gradient(loss, flat)):
        v.assign_sub(0.01 * g)
    print(step, loss.numpy())
