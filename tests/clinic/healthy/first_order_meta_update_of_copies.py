import tensorflow as tf

theta = tf.Variable([0.2, -0.1])
for task in range(4):
    goal = tf.constant([0.1 * task, 1.0])
    fast = tf.Variable(theta)
    for inner in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((fast - goal) ** 2)
        fast.assign_sub(0.1 * tape.gradient(loss, fast))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((fast - goal) ** 2)
    theta.assign_sub(0.05 * tape.gradient(loss, fast))
print(theta.numpy())
