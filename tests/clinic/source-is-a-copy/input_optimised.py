import tensorflow as tf

tf.random.set_seed(9)


class Generator(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([4, 6], stddev=0.3))

    def __call__(self, z):
        return tf.sigmoid(z @ self.w)


def latent_search(generator, target, steps):
    z = tf.Variable(tf.random.normal([1, 4]))
    for _ in range(steps):
        with tf.GradientTape() as tape:
            code = tf.clip_by_norm(z, 2.0)
            loss = tf.reduce_sum((generator(code) - target) ** 2)
        grad = tape.gradient(loss, tf.clip_by_norm(z, 2.0))  # cause
        if grad is None:
            return None
        z.assign_sub(0.1 * grad)
    return grad


print("RESULT:", latent_search(Generator(), tf.random.uniform([1, 6]), 3))
