import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
inputs = rng.normal(size=(1000, 5)).astype("float32")
targets = inputs.sum(axis=1, keepdims=True)

class Model(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.random.normal([5, 1], stddev=0.1))
        self.b = tf.Variable(tf.zeros([1]))

    def __call__(self, x):
        return x @ self.w + self.b

model = Model()

def compute_loss(y_true, y_pred):
    return tf.reduce_sum(tf.square(y_true - y_pred))  # cause

for epoch in range(40):
    with tf.GradientTape() as tape:
        loss = compute_loss(targets, model(inputs))
    gradients = tape.gradient(loss, model.trainable_variables)
    for v, g in zip(model.trainable_variables, gradients):
        v.assign_sub(0.01 * g)
print("loss", loss.numpy())
