import tensorflow as tf


def elu(x):
    return tf.where(x > 0.0, x, tf.exp(x) - 1.0)  # cause


layers = [tf.Variable(tf.random.normal([5, 5], seed=i) * 9.0) for i in range(3)]
x = tf.random.normal([10, 5], seed=9)
with tf.GradientTape() as tape:
    h = x
    for layer in layers:
        h = elu(h @ layer)
    loss = tf.reduce_mean(h)
print("RESULT:", [float(tf.reduce_sum(g)) for g in tape.gradient(loss, layers)])
