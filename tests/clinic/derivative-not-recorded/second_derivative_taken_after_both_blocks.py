import tensorflow as tf

class PINN:
    def __init__(self):
        self.w = [tf.Variable(tf.random.normal(s, seed=i)) for i, s in enumerate([(2, 16), (16, 1)])]

    def __call__(self, x, t):
        h = tf.concat([x, t], axis=1)
        return tf.tanh(h @ self.w[0]) @ self.w[1]

    def residual(self, x, t):
        with tf.GradientTape() as g2:
            g2.watch(x)
            with tf.GradientTape(persistent=True) as g1:
                g1.watch([x, t])
                u = self(x, t)
        u_x = g1.gradient(u, x)  # cause
        u_t = g1.gradient(u, t)
        u_xx = g2.gradient(u_x, x)
        return u_t - 0.1 * u_xx

pinn = PINN()
x = tf.random.uniform((5, 1), seed=4); t = tf.random.uniform((5, 1), seed=5)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(pinn.residual(x, t) ** 2)
print(tape.gradient(loss, pinn.w))
