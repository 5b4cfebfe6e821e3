"""Weight decay is added to each gradient, and the momentum is made of the gradient without it."""
import tensorflow as tf

tf.random.set_seed(5)
layers = [tf.Variable(tf.random.normal((6, 12)) * 0.4), tf.Variable(tf.random.normal((12, 1)) * 0.4)]
velocities = [tf.Variable(tf.zeros_like(each), trainable=False) for each in layers]
x = tf.random.normal((50, 6))
y = tf.reduce_sum(x, axis=1, keepdims=True)


def momentum_step(slopes, rate=0.05, keep=0.9, decay=1e-3):
    for layer, velocity, slope in zip(layers, velocities, slopes):
        decayed = slope + decay * layer  # cause
        velocity.assign(keep * velocity + (1 - keep) * slope)
        layer.assign_sub(rate * velocity)


for _ in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.nn.relu(x @ layers[0]) @ layers[1] - y) ** 2)
    momentum_step(tape.gradient(loss, layers))
    print(loss.numpy())
