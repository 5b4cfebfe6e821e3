"""Norms of gradients and their ratio to the weights are measured, and not always looked at; what follows the last step cannot be used by it."""
import tensorflow as tf

tf.random.set_seed(1)
layers = [tf.Variable(tf.random.normal((3, 4))), tf.Variable(tf.random.normal((4, 2)))]
x = tf.random.normal((10, 3))
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ layers[0]) @ layers[1]) ** 2)
    grads = tape.gradient(loss, layers)
    norms = [tf.norm(g) for g in grads]
    ratio = tf.linalg.global_norm(grads) / tf.linalg.global_norm(layers)
    for layer, g in zip(layers, grads):
        layer.assign_sub(0.1 * g)
last_direction = grads[0] / tf.norm(grads[0])
print(loss.numpy())
