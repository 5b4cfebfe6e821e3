import tensorflow as tf

tf.random.set_seed(1)


class Expert(tf.Module):
    def __init__(self, units, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([4, units], stddev=0.3), name="w")
        self.b = tf.Variable(tf.zeros([units]), name="b")

    def __call__(self, x):
        return tf.nn.relu(x @ self.w + self.b)


class Router(tf.Module):
    def __init__(self):
        super().__init__()
        self.small = Expert(3, name="small")
        self.large = Expert(3, name="large")

    def __call__(self, x):
        magnitude = float(tf.norm(x))
        if magnitude < 100.0:  # cause
            return self.small(x)
        return self.large(x)  # cause


router = Router()
batch = tf.random.normal([6, 4])
with tf.GradientTape() as tape:
    out = router(batch)
    loss = tf.reduce_mean(out ** 2)
grads = tape.gradient(loss, router.trainable_variables)
for v, g in zip(router.trainable_variables, grads):
    print("RESULT:", v.name, None if g is None else float(tf.norm(g)))
