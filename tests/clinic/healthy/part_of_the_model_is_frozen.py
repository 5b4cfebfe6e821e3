import tensorflow as tf

backbone = [tf.Variable(tf.eye(2) * 0.7), tf.Variable(tf.zeros(2))]
head = [tf.Variable([[1.0], [0.5]]), tf.Variable([0.0])]
x = tf.constant([[1.0, 2.0], [0.5, -1.0]])
for step in range(3):
    with tf.GradientTape() as tape:
        h = tf.tanh(x @ backbone[0] + backbone[1])
        loss = tf.reduce_mean((h @ head[0] + head[1] - 1.0) ** 2)
    for v, g in zip(head, tape.gradient(loss, head)):
        v.assign_sub(0.1 * g)
print(loss.numpy())
