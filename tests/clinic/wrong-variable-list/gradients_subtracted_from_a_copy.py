import tensorflow as tf

layers = [tf.Variable([[0.2, -0.1], [0.4, 0.3]]), tf.Variable([0.1, 0.1])]
trained = [tf.Variable(each) for each in layers]
x = tf.constant([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ layers[0] + layers[1] - 1.0) ** 2)
    gradients = tape.gradient(loss, layers)
    for variable, gradient in zip(trained, gradients):
        variable.assign_sub(0.1 * gradient)  # cause
print(loss)
