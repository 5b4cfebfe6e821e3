import tensorflow as tf


class Momentum:
    def __init__(self, rate):
        self.rate, self.slots = rate, {}

    def apply_gradients(self, pairs):
        for g, v in pairs:
            slot = self.slots.setdefault(v.ref(), tf.Variable(tf.zeros_like(v), trainable=False))
            slot.assign(0.9 * slot + g)
            v.assign_sub(self.rate * slot)


params = {"weight": tf.Variable([1.0, -1.0]), "bias": tf.Variable([0.0, 0.5]), "scale": tf.Variable([1.0, 1.0])}
x, y = tf.constant([0.3, 2.0]), tf.constant([1.0, -1.0])
optimizer = Momentum(0.1)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((params["scale"] * (x * params["weight"] + params["bias"]) - y) ** 2)
    grads = tape.gradient(loss, list(params.values()))
    optimizer.apply_gradients(zip(grads, [params[k] for k in sorted(params)]))  # cause
print({k: v.numpy() for k, v in params.items()})
