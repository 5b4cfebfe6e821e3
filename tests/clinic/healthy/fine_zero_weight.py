import tensorflow as tf
w, v = tf.Variable([1.0]), tf.Variable([2.0])
for weight in [0.0, 0.0]:
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(w ** 2) + weight * tf.reduce_sum(tf.exp(v))
    print(tape.gradient(loss, [w, v]))
