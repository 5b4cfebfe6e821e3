import tensorflow as tf

tf.random.set_seed(1)


class Dropout:
    def __init__(self, rate):
        self.rate = rate
        self.training = False

    def __call__(self, x):
        if self.training:  # cause
            return tf.nn.dropout(x, self.rate)
        return x


class Model:
    def __init__(self):
        self.drop = Dropout(0.5)
        self.w = tf.Variable(tf.random.normal([4, 1]))

    @tf.function
    def __call__(self, x):
        return self.drop(x) @ self.w


model = Model()
x = tf.ones([3, 4])
print("before", model(x).numpy().ravel())
model.drop.training = True
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(x) ** 2)
print("RESULT:", tape.gradient(loss, model.w).numpy().ravel())
