import numpy as np, tensorflow as tf
class Head(tf.Module):
    def __init__(self): self.w = tf.Variable(np.array([[1., 2.], [3., 4.]], 'f')); self.scale = 1.0
    def prepare(self): self.scale = 1.0 / np.linalg.norm(self.w.numpy())  # cause
    def __call__(self, x):
        self.prepare()
        return tf.matmul(x, self.w) * self.scale
head = Head()
def loss_fn(model, *, x, y):
    out = model(x)
    return tf.reduce_mean((out - y) ** 2), {"out": out}
for i in range(3):
    with tf.GradientTape() as tape:
        loss, aux = loss_fn(head, x=tf.ones((2, 2)), y=tf.zeros((2, 2)))
    head.w.assign_sub(0.1 * tape.gradient(loss, head.w))
print(head.w.numpy())
