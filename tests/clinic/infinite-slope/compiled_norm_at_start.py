import tensorflow as tf


class Spring(tf.Module):
    def __init__(self, rest):
        super().__init__()
        self.a = tf.Variable([0.0, 0.0])
        self.b = tf.Variable([0.0, 0.0])
        self.rest = rest

    def length(self):
        d = self.a - self.b
        return tf.sqrt(tf.reduce_sum(d * d))  # cause

    def energy(self):
        return 0.5 * (self.length() - self.rest) ** 2


@tf.function
def relax(spring):
    with tf.GradientTape() as tape:
        e = spring.energy()
    grads = tape.gradient(e, spring.trainable_variables)
    for v, g in zip(spring.trainable_variables, grads):
        v.assign_sub(0.1 * g)
    return e


spring = Spring(1.0)
for _ in range(3):
    energy = relax(spring)
print("RESULT:", energy.numpy(), spring.a.numpy())
