import tensorflow as tf

tf.random.set_seed(2)


def mlp(sizes):
    return [tf.Variable(tf.random.normal([a, b], stddev=0.3)) for a, b in zip(sizes, sizes[1:])]


def run(ws, x):
    for w in ws[:-1]:
        x = tf.nn.relu(x @ w)
    return x @ ws[-1]


actor, critic = mlp([4, 8, 1]), mlp([4, 8, 1])
s, r = tf.random.normal([10, 4]), tf.random.normal([10, 1])
for _ in range(3):
    with tf.GradientTape(persistent=True) as tape:
        v = run(critic, s)
        critic_loss = tf.reduce_mean((v - r) ** 2)
        actor_loss = -tf.reduce_mean(run(actor, s) * tf.stop_gradient(r - v))
    actor_grads = tape.gradient(actor_loss, actor)
    critic_grads = tape.gradient(critic_loss, critic)
    for w, g in zip(actor, critic_grads):  # cause
        w.assign_sub(0.01 * g)  # cause
    for w, g in zip(critic, critic_grads):
        w.assign_sub(0.01 * g)
print("RESULT:", critic_loss.numpy())
