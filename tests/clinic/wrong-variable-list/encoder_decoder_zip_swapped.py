import tensorflow as tf

tf.random.set_seed(4)
x = tf.random.normal([16, 6])
encoder = {"kernel": tf.Variable(tf.random.normal([6, 6], stddev=0.4))}
decoder = {"kernel": tf.Variable(tf.random.normal([6, 6], stddev=0.4))}


def train_step(rate):
    with tf.GradientTape() as tape:
        code = tf.tanh(x @ encoder["kernel"])
        restored = code @ decoder["kernel"]
        loss = tf.reduce_mean((restored - x) ** 2)
    g_enc, g_dec = tape.gradient(loss, [encoder["kernel"], decoder["kernel"]])
    for variable, g in zip([decoder["kernel"], encoder["kernel"]], [g_enc, g_dec]):  # cause
        variable.assign_sub(rate * g)  # cause
    return loss


for _ in range(5):
    loss = train_step(0.1)
print("RESULT:", loss.numpy())
