import tensorflow as tf

params = {
    "amp": tf.Variable(1.0),
    "freq": tf.Variable(2.0),
    "phase": tf.Variable(0.3),  # cause
}
t = tf.linspace(0.0, 1.0, 5)
with tf.GradientTape() as tape:
    wave = params["amp"] * tf.sin(params["freq"] * t + params["freq"])  # cause
    loss = tf.reduce_mean(wave ** 2)
grads = tape.gradient(loss, params)  # cause
print(grads)
