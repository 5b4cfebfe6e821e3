import tensorflow as tf

q_net = tf.Variable([[0.1, 0.2], [0.3, -0.4], [0.5, 0.1]])
states = tf.reshape(tf.cos(tf.range(18.0)), (6, 3))
actions, targets = tf.constant([0, 1, 1, 0, 1, 0]), tf.constant([1.0, 0.5, 0.2, 0.1, 0.9, 0.3])
for _ in range(3):
    with tf.GradientTape() as tape:
        q = states @ q_net
        chosen = tf.gather(q, actions, axis=1, batch_dims=1)
        also = tf.gather_nd(q, tf.stack([tf.range(6), actions], axis=1))
        loss = tf.reduce_mean((chosen - targets) ** 2) + tf.reduce_mean((also - targets) ** 2)
    q_net.assign_sub(0.1 * tape.gradient(loss, q_net))
print(q_net.numpy())
