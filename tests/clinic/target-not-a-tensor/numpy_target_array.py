import tensorflow as tf


def evaluate(w):
    return tf.reduce_mean(w ** 2).numpy()  # cause


w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = evaluate(w)  # cause
g = tape.gradient(loss, w)  # cause
print(g)
