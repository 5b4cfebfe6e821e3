import tensorflow as tf

w, b = tf.Variable([0.5, -0.5]), tf.Variable([0.0, 0.0])
x = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.2]])
y = tf.constant([[2.0, 1.0], [4.0, -3.0], [1.0, 0.0]])
for step in range(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x * w + b - y) ** 2)
    grads = tape.gradient(loss, [w, b])
    for g, v in zip(grads, [b, w]):  # cause
        v.assign_sub(0.1 * g)
print(w.numpy(), b.numpy())
