import tensorflow as tf

params = tf.Variable([0.3, 0.7, 1.1])
with tf.GradientTape() as tape:
    cost = tf.reduce_sum(tf.exp(params) * params)
partials = [tape.gradient(cost, params[i]) for i in range(1)]  # cause
print(partials)
