import tensorflow as tf

shares = tf.Variable([[0.2, 0.8]])
means, scales = tf.Variable([[0.0, 1.0]]), tf.Variable([[0.7, 0.5]])
y = tf.constant([[0.5], [0.9], [-0.2]])
for _ in range(3):
    with tf.GradientTape() as tape:
        z = (y - means) / scales
        likelihood = tf.reduce_logsumexp(tf.nn.log_softmax(shares) - 0.5 * z**2 - tf.math.log(scales), axis=1)
        loss = -tf.reduce_mean(likelihood)
    parameters = [shares, means, scales]
    for parameter, gradient in zip(parameters, tape.gradient(loss, parameters)):
        parameter.assign_sub(0.05 * gradient)
print(loss)
