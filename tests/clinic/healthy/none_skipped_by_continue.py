import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)


def layer(a, b):
    return tf.Variable(rng.normal(0, 0.4, (a, b)).astype("float32"))


encoder, decoder, classifier = layer(6, 3), layer(3, 6), layer(3, 2)
all_variables = [encoder, decoder, classifier]
x = rng.normal(size=(12, 6)).astype("float32")
y = rng.integers(0, 2, 12)

for epoch in range(4):
    pretraining = epoch < 2
    with tf.GradientTape() as tape:
        code = tf.tanh(x @ encoder)
        if pretraining:
            loss = tf.reduce_mean((code @ decoder - x) ** 2)
        else:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=code @ classifier))
    grads = tape.gradient(loss, all_variables)
    for variable, grad in zip(all_variables, grads):
        if grad is None:
            continue
        variable.assign_sub(0.1 * grad)
print("RESULT:", loss.numpy())
