import tensorflow as tf

layers = [tf.Variable(tf.eye(2) * k, trainable=False) for k in (0.5, 2.0)]  # cause
x = tf.constant([[1.0, 2.0], [0.3, -1.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        h = x
        for layer in layers:
            h = tf.tanh(h @ layer)
        loss = tf.reduce_mean((h - 0.1) ** 2)
    for layer, g in zip(layers, tape.gradient(loss, layers, unconnected_gradients="zero")):
        layer.assign_sub(0.5 * g)
print(loss.numpy())
