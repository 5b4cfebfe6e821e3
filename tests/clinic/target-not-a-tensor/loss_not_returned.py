import tensorflow as tf

w = tf.Variable([1.0, 2.0])


class Problem:
    def residual(self, x):
        r = x ** 2 - tf.constant([2.0, 3.0])
        self.last = tf.reduce_sum(r ** 2)  # cause


problem = Problem()
with tf.GradientTape() as tape:
    loss = problem.residual(w)
print("RESULT:", tape.gradient(loss, w))  # cause
