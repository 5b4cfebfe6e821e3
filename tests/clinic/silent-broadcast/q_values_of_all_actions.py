import tensorflow as tf

q_net = tf.Variable([[0.1, 0.2], [0.3, -0.4], [0.5, 0.1]])
states = tf.reshape(tf.cos(tf.range(18.0)), (6, 3))
actions = tf.constant([0, 1, 1, 0, 1, 0])
targets = tf.constant([1.0, 0.5, 0.2, 0.1, 0.9, 0.3])
for step in range(3):
    with tf.GradientTape() as tape:
        q = states @ q_net
        chosen = tf.gather(q, actions, axis=1)  # cause
        loss = tf.reduce_mean((chosen - targets) ** 2)
    q_net.assign_sub(0.1 * tape.gradient(loss, q_net))
print(q_net.numpy())
