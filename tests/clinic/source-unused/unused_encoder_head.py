import tensorflow as tf

tf.random.set_seed(1)


def dense(n, m):
    return {"w": tf.Variable(tf.random.normal([n, m], stddev=0.3)), "b": tf.Variable(tf.zeros([m]))}


params = {"body": dense(5, 8), "mean": dense(8, 2), "logvar": dense(8, 2), "out": dense(2, 5)}


def apply(layer, x):
    return x @ layer["w"] + layer["b"]


def elbo(params, x):
    h = tf.tanh(apply(params["body"], x))
    mean = apply(params["mean"], h)
    logvar = apply(params["mean"], h)  # cause
    z = mean + tf.exp(0.5 * logvar) * tf.random.normal(tf.shape(mean))
    kl = 0.5 * tf.reduce_sum(tf.exp(logvar) + mean ** 2 - 1.0 - logvar, axis=1)
    return tf.reduce_mean(tf.reduce_sum((apply(params["out"], z) - x) ** 2, axis=1) + kl)


with tf.GradientTape() as tape:
    loss = elbo(params, tf.random.normal([10, 5]))
grads = tape.gradient(loss, params)
print("RESULT:", grads["logvar"])
