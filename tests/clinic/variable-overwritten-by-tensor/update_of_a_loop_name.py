import tensorflow as tf

w = tf.Variable([1.0, 2.0])
b = tf.Variable(0.0)
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
y = tf.constant([1.0, 0.0])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) + b - y) ** 2)
    grads = tape.gradient(loss, [w, b])
    for variable, grad in zip([w, b], grads):
        variable = variable - 0.01 * grad  # cause
    print(loss.numpy())
