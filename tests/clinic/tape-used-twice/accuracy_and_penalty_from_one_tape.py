"""A learner asks one tape for two gradients: of the data term and of the penalty."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
x = tf.constant(rng.normal(size=(40, 5)).astype("float32"))
y = tf.constant((rng.normal(size=(40, 1)) > 0).astype("float32"))


class Logistic(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([5, 1], seed=1, stddev=0.1))
        self.b = tf.Variable([0.0])

    def __call__(self, inputs):
        return inputs @ self.w + self.b


model = Logistic()
weight = 0.01
for epoch in range(5):
    with tf.GradientTape() as tape:
        logits = model(x)
        data = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))
        penalty = weight * tf.reduce_sum(tf.square(model.w))
    data_slopes = tape.gradient(data, model.trainable_variables)
    penalty_slopes = tape.gradient(penalty, model.trainable_variables)  # cause
    for v, g, h in zip(model.trainable_variables, data_slopes, penalty_slopes):
        v.assign_sub(0.1 * (g + h if h is not None else g))
    print(epoch, float(data), float(penalty))
