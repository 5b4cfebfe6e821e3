import tensorflow as tf


def sgd(params, grads, lr=0.1):
    return [p - lr * g for p, g in zip(params, grads)]  # cause


params = [tf.Variable([1.0, 2.0]), tf.Variable(0.5)]
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(params[0] ** 2) + params[1] ** 2
    grads = tape.gradient(loss, params)
    if None in grads:
        break
    params = sgd(params, grads)  # cause
print(grads)
