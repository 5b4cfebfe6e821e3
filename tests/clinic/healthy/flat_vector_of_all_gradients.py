import tensorflow as tf

w, b = tf.Variable([[1.0, -2.0], [0.3, 0.1]]), tf.Variable([0.5, 0.5])
x, y = tf.constant([[0.2, 1.0], [1.5, -0.3]]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
velocity = tf.Variable(tf.zeros(6), trainable=False)
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w + b - y) ** 2)
    gw, gb = tape.gradient(loss, [w, b])
    flat = tf.concat([tf.reshape(gw, [-1]), gb], axis=0)
    velocity.assign(0.9 * velocity + flat / tf.norm(flat))
    w.assign_sub(0.1 * tf.reshape(velocity[:4], (2, 2)))
    b.assign_sub(0.1 * velocity[4:])
print(loss.numpy())
