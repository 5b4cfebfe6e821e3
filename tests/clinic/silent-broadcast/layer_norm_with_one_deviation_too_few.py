import tensorflow as tf

params = {"w": tf.Variable(tf.eye(5) * 0.5), "gain": tf.Variable(tf.ones(5))}
x = tf.reshape(tf.sin(tf.range(25.0)), (5, 5))


def layer_norm(h):
    mean = tf.reduce_mean(h, axis=-1, keepdims=True)
    deviation = tf.math.reduce_std(h, axis=-1)
    return (h - mean) / deviation * params["gain"]  # cause


with tf.GradientTape() as tape:
    loss = tf.reduce_mean((layer_norm(x @ params["w"]) - x) ** 2)
print(tape.gradient(loss, params))
