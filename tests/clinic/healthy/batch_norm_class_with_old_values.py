import tensorflow as tf
class BN(tf.Module):
    def __init__(self, n):
        self.g = tf.Variable(tf.ones(n)); self.b = tf.Variable(tf.zeros(n)); self.m = tf.Variable(tf.zeros(n), trainable=False); self.v = tf.Variable(tf.ones(n), trainable=False)
    def __call__(self, x, training=True):
        if training:
            m = tf.reduce_mean(x, 0); v = tf.math.reduce_variance(x, 0)
            self.m.assign(0.9 * self.m + 0.1 * m); self.v.assign(0.9 * self.v + 0.1 * v)
        else: m, v = self.m, self.v
        return self.g * (x - m) / tf.sqrt(v + 1e-5) + self.b
bn = BN(3); w = tf.Variable(tf.eye(3)); x = tf.random.stateless_normal((3, 3), [1, 2])
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(bn(x @ w) ** 3)
    tv = [w, bn.g, bn.b]
    for v, g in zip(tv, tape.gradient(loss, tv)): v.assign_sub(0.1 * g)
print(float(loss), bn(x, training=False).shape)
