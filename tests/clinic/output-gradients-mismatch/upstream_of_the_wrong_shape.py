import tensorflow as tf

w = tf.Variable(tf.ones([3, 2]))
x = tf.ones([5, 3])
with tf.GradientTape() as tape:
    y = tf.tanh(x @ w)
cotangent = tf.ones([2, 5])
g = tape.gradient(y, w, output_gradients=cotangent)  # cause
print("RESULT:", g.numpy())
