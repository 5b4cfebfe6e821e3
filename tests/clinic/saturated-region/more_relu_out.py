import tensorflow as tf

w = tf.Variable([[-1.0], [-2.0]])
x = tf.constant([[1.0, 1.0], [2.0, 0.5]])
y = tf.constant([[1.0], [2.0]])
for i in range(3):
    with tf.GradientTape() as t:
        pred = tf.nn.relu(x @ w)  # cause
        loss = tf.reduce_mean(tf.abs(pred - y))
    w.assign_sub(0.1 * t.gradient(loss, w))
print(w)
