import tensorflow as tf

trunk = tf.Variable([[0.1, 0.2], [0.3, 0.4]])
heads = [tf.Variable([[1.0], [0.5]]), tf.Variable([[0.2], [0.7]])]
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
variables = [trunk, *heads]
for step in range(6):
    head = heads[step % 2]
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.tanh(x @ trunk) @ head - 0.3) ** 2)
    for v, g in zip(variables, tape.gradient(loss, variables, unconnected_gradients="zero")):
        v.assign_sub(0.1 * g)
    with tf.GradientTape() as second:
        other = tf.reduce_sum(heads[0] ** 2)
    print(second.gradient(other, heads[1], unconnected_gradients="zero").numpy().ravel())
