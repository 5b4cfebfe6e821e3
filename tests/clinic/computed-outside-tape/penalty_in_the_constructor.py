import tensorflow as tf


class Ridge:
    def __init__(self, n, strength):
        self.w = tf.Variable(tf.ones([n]) * 0.5)
        self.b = tf.Variable(0.0)
        self.penalty = strength * tf.reduce_sum(self.w ** 2)  # cause

    def loss(self, x, y):
        prediction = tf.linalg.matvec(x, self.w) + self.b
        return tf.reduce_mean((prediction - y) ** 2) + self.penalty


x = tf.constant([[1.0, 2.0, 0.5], [0.3, -1.0, 2.0], [1.5, 0.2, 0.1], [0.0, 1.0, 1.0]])
y = tf.constant([1.0, 0.0, 2.0, 0.5])
model = Ridge(3, 0.1)
for _ in range(4):
    with tf.GradientTape() as tape:
        value = model.loss(x, y)
    dw, db = tape.gradient(value, [model.w, model.b])
    model.w.assign_sub(0.1 * dw)
    model.b.assign_sub(0.1 * db)
print("RESULT:", dw.numpy())
