import tensorflow as tf

tf.random.set_seed(3)
actor = [tf.Variable(tf.random.normal([4, 2])), tf.Variable(tf.zeros([2]))]
critic = [tf.Variable(tf.random.normal([4, 1])), tf.Variable(tf.zeros([1]))]
states = tf.random.normal([8, 4])
returns = tf.random.normal([8, 1])


def value(s):
    return s @ critic[0] + critic[1]


def update(loss_of, variables, rate=0.1):
    with tf.GradientTape() as tape:
        loss = loss_of()
    grads = tape.gradient(loss, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)  # cause
    for v, g in zip(variables, grads):
        v.assign_sub(rate * g)
    return grads


for _ in range(3):
    grads = update(lambda: tf.reduce_mean((value(states) - returns) ** 2), actor)  # cause
print("RESULT:", [g.numpy().tolist() for g in grads])
