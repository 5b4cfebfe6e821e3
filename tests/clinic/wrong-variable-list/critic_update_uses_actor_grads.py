import tensorflow as tf

tf.random.set_seed(3)
model = {"policy": tf.Variable(tf.random.normal([4, 2])), "value": tf.Variable(tf.random.normal([4, 2]))}
s, goal = tf.random.normal([6, 4]), tf.random.normal([6, 2])


def losses():
    policy_loss = tf.reduce_mean((s @ model["policy"] - goal) ** 2)
    value_loss = tf.reduce_mean(tf.abs(s @ model["value"] - goal))
    return policy_loss, value_loss


for _ in range(3):
    with tf.GradientTape(persistent=True) as tape:
        policy_loss, value_loss = losses()
    g_policy = tape.gradient(policy_loss, model["policy"])
    g_value = tape.gradient(value_loss, model["value"])
    model["policy"].assign_sub(0.1 * g_value)  # cause
    model["value"].assign_sub(0.1 * g_policy)  # cause
print("RESULT:", float(policy_loss))
