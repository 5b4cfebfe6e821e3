import tensorflow as tf

w, v = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0])
x = tf.constant([0.5, -1.0])
with tf.GradientTape() as tape:
    v.assign(tf.tanh(w * x))  # cause
    loss = tf.reduce_sum(v**2) + 0.1 * tf.reduce_sum(w**2)
print(tape.gradient(loss, [w, v]))
