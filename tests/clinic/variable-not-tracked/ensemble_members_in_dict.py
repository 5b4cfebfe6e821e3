import tensorflow as tf


class Member:
    def __init__(self, seed):
        self.w = tf.Variable(tf.random.stateless_normal([2, 1], [seed, 0]))  # cause

    def __call__(self, x):
        return x @ self.w


class Ensemble:
    def __init__(self, n):
        self.members = {f"m{i}": Member(i) for i in range(n)}

    @property
    def trainable_variables(self):
        return [v for v in self.members.values() if isinstance(v, tf.Variable)]  # cause

    def __call__(self, x):
        return tf.add_n([m(x) for m in self.members.values()]) / len(self.members)


ensemble = Ensemble(3)
x = tf.ones([4, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(ensemble(x) ** 2)
variables = ensemble.trainable_variables
print("RESULT:", tape.gradient(loss, variables))  # cause
