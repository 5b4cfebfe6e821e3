import tensorflow as tf

x = tf.Variable([[0.2, 1.0, -0.5], [2.0, 0.1, 0.4], [-1.0, 0.3, 0.9]])
with tf.GradientTape() as tape:
    centred = x - tf.reduce_mean(x, axis=0)
    scaled = centred / (tf.math.reduce_std(x, axis=0) + 1e-5)
    rows = scaled - tf.reduce_mean(scaled, axis=1, keepdims=True)
    rows = rows / tf.reduce_sum(tf.abs(rows), axis=1)[:, None]
    loss = tf.reduce_sum(rows * tf.eye(3)) + tf.reduce_sum(tf.math.reduce_std(rows, axis=1))
print(tape.gradient(loss, x).numpy())
