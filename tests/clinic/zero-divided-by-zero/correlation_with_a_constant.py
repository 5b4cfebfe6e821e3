import tensorflow as tf

forecast = tf.Variable([2.0, 2.0, 2.0])
observed = tf.constant([1.0, 2.0, 4.0])


def correlation(a, b):
    a = a - tf.reduce_mean(a)
    b = b - tf.reduce_mean(b)
    covariance = tf.reduce_mean(a * b)
    return covariance / (tf.math.reduce_std(a) * tf.math.reduce_std(b))  # cause


with tf.GradientTape() as tape:
    loss = 1.0 - correlation(forecast, observed)
print(tape.gradient(loss, forecast))
