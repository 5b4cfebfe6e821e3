import tensorflow as tf

layers = [tf.Variable(tf.eye(3) * k) for k in (0.9, 1.1, 0.7)]
x, y = tf.ones((4, 3)), tf.zeros((4, 3))


def train(steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            h = x
            for layer in layers:
                h = tf.tanh(h @ layer)
            loss = tf.reduce_mean((h - y) ** 2)
        pairs = zip(reversed(layers), tape.gradient(loss, layers))  # cause
        for layer, g in pairs:
            layer.assign(layer - 0.1 * tf.clip_by_norm(g, 1.0))
    return loss


print(float(train(3)))
