import tensorflow as tf


class Adam:
    def __init__(self, params, lr=0.1):
        self.params, self.lr, self.t = params, lr, 0
        self.m = [tf.Variable(tf.zeros_like(p), trainable=False) for p in params]
        self.v = [tf.Variable(tf.zeros_like(p), trainable=False) for p in params]

    def step(self, grads):
        self.t += 1
        for p, g, m, v in zip(self.params, grads, self.m, self.v):
            m.assign(0.9 * m + 0.1 * g)
            v.assign(0.999 * v + 0.001 * g ** 2)
            mh = m / (1.0 - 0.9 ** self.t)
            vh = v / (1.0 - 0.999 ** self.t)
            p.assign_sub(self.lr * mh / (tf.sqrt(vh) + 1e-8))


w = tf.Variable([2.0, -1.0])
opt = Adam([w])
for _ in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((w - 1.0) ** 2)
    opt.step(tape.gradient(loss, [w]))
print(w.numpy())
