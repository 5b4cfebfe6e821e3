import tensorflow as tf

tf.random.set_seed(0)
w1 = tf.Variable(tf.random.normal([1, 12]))
w2 = tf.Variable(tf.random.normal([12, 1]))


def network(x):
    return tf.tanh(x @ w1) @ w2


def residual(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        u = network(x)
    u_x = tape.gradient(u, x)  # cause
    u_xx = tape.gradient(u_x, x)  # cause
    return u_xx + tf.sin(x)


x = tf.reshape(tf.linspace(0.0, 3.0, 9), [-1, 1])
try:
    r = residual(x)
    print("RESULT:", tf.reduce_mean(r ** 2).numpy())
except (TypeError, ValueError) as error:
    print("RESULT: None", error)
