import tensorflow as tf
actor = [tf.Variable(tf.random.normal([3, 2], seed=1))]; critic = [tf.Variable(tf.random.normal([3, 2], seed=5))]
s = tf.random.normal([6, 3], seed=2); r = tf.random.normal([6, 2], seed=4)
class SGD:
    def __init__(self, lr): self.lr = lr
    def apply_gradients(self, gv):
        for g, v in gv: v.assign_sub(self.lr * g)
opt_a, opt_c = SGD(0.01), SGD(0.02)
for i in range(3):
    with tf.GradientTape(persistent=True) as tape:
        v = s @ critic[0]; c_loss = tf.reduce_mean((v - r) ** 2)
        a_loss = -tf.reduce_mean(tf.stop_gradient(r - v) * tf.nn.log_softmax(s @ actor[0]))
    ga = tape.gradient(a_loss, actor); gc = tape.gradient(c_loss, critic)
    del tape
    opt_a.apply_gradients(zip(gc, actor))  # cause
    opt_c.apply_gradients(zip(ga, critic))
print(float(c_loss))
