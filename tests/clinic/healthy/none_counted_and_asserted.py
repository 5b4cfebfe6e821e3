import numpy as np
import tensorflow as tf

rng = np.random.default_rng(23)
encoder, decoder = [tf.Variable(rng.normal(0, 0.3, s).astype("float32")) for s in ((4, 2), (2, 4))]
x = rng.normal(size=(6, 4)).astype("float32")
variables = [encoder, decoder]
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((x @ encoder @ decoder - x) ** 2)
grads = tape.gradient(loss, variables)
missing = [v.name for v, g in zip(variables, grads) if g is None]
assert not missing
assert all(g is not None for g in grads)
print("RESULT:", loss.numpy(), len(missing))
