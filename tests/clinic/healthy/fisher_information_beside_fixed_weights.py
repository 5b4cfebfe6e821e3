import tensorflow as tf

weights = [tf.Variable([[0.2], [0.4]]), tf.Variable([0.1])]
fisher = [tf.Variable(tf.zeros_like(each), trainable=False) for each in weights]
for i in range(5):
    x = tf.constant([[1.0, 0.1 * i]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.softplus(x @ weights[0] + weights[1]))
    for total, gradient in zip(fisher, tape.gradient(loss, weights)):
        total.assign_add(gradient**2 / 5.0)
print([each.numpy() for each in fisher])
