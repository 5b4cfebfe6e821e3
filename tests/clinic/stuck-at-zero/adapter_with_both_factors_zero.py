"""LoRA where both factors start from zeros, so that neither ever gets a gradient."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(51)


class LoRADense:
    def __init__(self, rows, columns, rank=2):
        self.frozen = tf.constant(rng.normal(0, 0.4, (rows, columns)).astype("float32"))
        self.down = tf.Variable(tf.zeros((rows, rank)))
        self.up = tf.Variable(tf.zeros((rank, columns)))  # cause

    def __call__(self, x):
        return x @ self.frozen + (x @ self.down) @ self.up


layers = [LoRADense(5, 6), LoRADense(6, 2)]
x = tf.constant(rng.normal(size=(12, 5)).astype("float32"))
y = tf.constant(rng.integers(0, 2, 12))
trainable = [v for layer in layers for v in (layer.down, layer.up)]
for step in range(5):
    with tf.GradientTape() as tape:
        h = tf.nn.gelu(layers[0](x))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=layers[1](h)))
    for v, g in zip(trainable, tape.gradient(loss, trainable)):
        v.assign_sub(0.5 * g)
    print(step, loss.numpy())
