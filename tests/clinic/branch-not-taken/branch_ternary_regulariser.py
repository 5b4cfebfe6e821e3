import tensorflow as tf

w = tf.Variable([0.5, -0.5])
alpha = tf.Variable(0.1)
epoch = 0


def penalty(weights):
    return alpha * tf.reduce_sum(weights ** 2) if epoch > 3 else 0.0  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_sum((w - 1.0) ** 2) + penalty(w)
grads = tape.gradient(loss, [w, alpha])
print(grads)
