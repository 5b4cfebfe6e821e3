import tensorflow as tf

theta = tf.Variable([[0.2, -0.1, 0.4], [0.0, 0.3, -0.5]])


@tf.function
def policy_step(states, actions, returns):
    with tf.GradientTape() as tape:
        log_p = tf.math.log_softmax(states @ theta)
        picked = tf.gather(log_p, actions, axis=1)  # cause
        loss = -tf.reduce_sum(picked * (returns - tf.reduce_mean(returns)))
    theta.assign_sub(0.05 * tape.gradient(loss, theta))
    return loss


for episode in range(2):
    states = tf.reshape(tf.sin(tf.range(10.0) + episode), (5, 2))
    policy_step(states, tf.constant([2, 0, 1, 1, 2]), tf.constant([1.0, 0.0, 2.0, 1.0, 0.5]))
print(theta.numpy())
