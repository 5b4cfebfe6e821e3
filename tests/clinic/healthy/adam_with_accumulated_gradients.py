import tensorflow as tf
class MLP(tf.Module):
    def __init__(self, sizes):
        super().__init__()
        self.ws = [tf.Variable(tf.random.stateless_normal((a, b), [a, b]) * 0.3) for a, b in zip(sizes, sizes[1:])]
        self.bs = [tf.Variable(tf.zeros(b)) for b in sizes[1:]]
    def __call__(self, x):
        for i, (w, b) in enumerate(zip(self.ws, self.bs)):
            x = x @ w + b
            if i < len(self.ws) - 1: x = tf.nn.relu(x)
        return x
class Adam:
    def __init__(self, lr): self.lr, self.m, self.v, self.t = lr, {}, {}, 0
    def apply_gradients(self, gv):
        self.t += 1
        for g, var in gv:
            if g is None: continue
            k = var.ref()
            if k not in self.m:
                self.m[k] = tf.Variable(tf.zeros_like(var)); self.v[k] = tf.Variable(tf.zeros_like(var))
            self.m[k].assign(0.9 * self.m[k] + 0.1 * g); self.v[k].assign(0.999 * self.v[k] + 0.001 * g * g)
            mh = self.m[k] / (1 - 0.9 ** self.t); vh = self.v[k] / (1 - 0.999 ** self.t)
            var.assign_sub(self.lr * mh / (tf.sqrt(vh) + 1e-8))
net = MLP([4, 4, 4]); opt = Adam(0.01); x = tf.random.stateless_normal((4, 4), [1, 1]); y = tf.random.stateless_normal((4, 4), [2, 1])
acc = None
for step in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - y) ** 2)
    grads = tape.gradient(loss, net.trainable_variables)
    acc = grads if acc is None else [a + g for a, g in zip(acc, grads)]
    if step % 2:
        opt.apply_gradients(zip(acc, net.trainable_variables)); acc = None
print(float(loss))
