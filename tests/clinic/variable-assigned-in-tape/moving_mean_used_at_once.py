import tensorflow as tf
class BN(tf.Module):
    def __init__(self, n):
        self.m = tf.Variable(tf.zeros(n), trainable=False); self.g = tf.Variable(tf.ones(n))
    def __call__(self, x):
        self.m.assign(0.5 * self.m + 0.5 * tf.reduce_mean(x, 0))  # cause
        return self.g * (x - self.m)
bn = BN(3); w = tf.Variable(tf.eye(3)); x = tf.random.stateless_normal((4, 3), [1, 2])
for i in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(bn(x @ w) - 1.0))
    for v, g in zip([w, bn.g], tape.gradient(loss, [w, bn.g])): v.assign_sub(0.1 * g)
print(float(loss))
