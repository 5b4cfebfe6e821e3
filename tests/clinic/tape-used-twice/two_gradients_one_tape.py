import tensorflow as tf

policy, critic = tf.Variable([0.1, 0.2]), tf.Variable([0.4, -0.1])


def losses():
    value = tf.reduce_sum(critic ** 2)
    actor = tf.reduce_sum(policy * tf.stop_gradient(critic))
    return value, actor


with tf.GradientTape() as tape:  # cause
    value_loss, actor_loss = losses()
g_critic = tape.gradient(value_loss, critic)
g_policy = tape.gradient(actor_loss, policy)  # cause
print("RESULT:", g_critic.numpy(), g_policy.numpy())
