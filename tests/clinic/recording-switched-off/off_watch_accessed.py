import tensorflow as tf

w = tf.Variable([1.0, 2.0])
b = tf.Variable(0.5)
with tf.GradientTape(watch_accessed_variables=False) as tape:  # cause
    tape.watch(w)
    loss = tf.reduce_sum(w ** 2) + b ** 2
print(tape.gradient(loss, [w, b]))
