import tensorflow as tf

levels = {"low": tf.Variable(0.3), "high": tf.Variable(2.6)}
x = tf.constant([0.1, 0.5, 2.0])


def train_step():
    with tf.GradientTape() as tape:
        quantised = tf.round(x * (levels["high"] - levels["low"]) + levels["low"])  # cause
        loss = tf.reduce_mean((quantised - x) ** 2)
    grads = tape.gradient(loss, levels, unconnected_gradients="zero")
    for name, g in grads.items():
        levels[name].assign_sub(0.1 * g)


for _ in range(3):
    train_step()
print({k: float(v) for k, v in levels.items()})
