import tensorflow as tf
class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.b = tf.Variable([0.1, 0.2]); self.a = tf.Variable([1.0, 2.0])
    @property
    def params(self): return [self.b, self.a]
    def __call__(self, x): return self.a * x + self.b
net = Net()
x = tf.constant([[1., 2.], [3., 4.]])
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((net(x) - 1.0) ** 2)
    return tape.gradient(loss, net.trainable_variables), loss
for i in range(3):
    grads, loss = train_step()
    for p, g in zip(net.params, grads):  # cause
        p.assign_sub(0.05 * g)
print(float(loss))
