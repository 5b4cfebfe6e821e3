import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
batch = {"features": rng.normal(size=(10, 3)).astype("float32"), "price": rng.normal(size=(10,)).astype("float32")}
params = {"w": tf.Variable(tf.zeros([3, 1])), "b": tf.Variable(tf.zeros([1]))}


def forward(params, features):
    return tf.matmul(features, params["w"]) + params["b"]


@tf.function
def step(batch):
    with tf.GradientTape() as tape:
        predicted = forward(params, batch["features"])
        error = predicted - batch["price"]  # cause
        loss = tf.reduce_mean(tf.square(error))
    grads = tape.gradient(loss, params)
    return loss, grads


batch = {k: tf.constant(v) for k, v in batch.items()}
loss, grads = step(batch)
print("RESULT:", grads["w"].numpy().ravel())
