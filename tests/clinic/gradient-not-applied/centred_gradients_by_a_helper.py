"""Gradients are centred by a function; the update takes those that came from the tape."""
import tensorflow as tf

tf.random.set_seed(0)
weights = {"hidden": tf.Variable(tf.random.normal((3, 6))), "out": tf.Variable(tf.random.normal((6, 1)))}
x = tf.random.normal((20, 3))
y = tf.reduce_sum(x, axis=1, keepdims=True)


def predict(x):
    return tf.tanh(x @ weights["hidden"]) @ weights["out"]


def centred(gradients):
    return {name: g - tf.reduce_mean(g, axis=0, keepdims=True) for name, g in gradients.items()}


def train(steps, rate):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((predict(x) - y) ** 2)
        gradients = tape.gradient(loss, weights)
        moved = centred(gradients)  # cause
        for name, weight in weights.items():
            weight.assign_sub(rate * gradients[name])
    return loss


print(train(5, 0.05).numpy())
