import tensorflow as tf

w = tf.Variable([-1.0, 0.5])
bias = tf.Variable(0.0)
batches = [tf.constant([[1.0, 0.0]]), tf.constant([[0.0, 1.0]]), tf.constant([[1.0, 1.0]]), tf.constant([[1.0, 0.0]])]


def step(x):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(tf.reduce_sum(x * w, axis=1) + bias)
        loss = tf.reduce_mean((hidden - 1.0) ** 2)
    grads = tape.gradient(loss, [w, bias])
    for variable, gradient in zip([w, bias], grads):
        variable.assign_sub(0.2 * gradient)
    return loss


for epoch in range(3):
    for x in batches:
        loss = step(x)
print("RESULT:", float(loss))
