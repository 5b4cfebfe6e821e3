import tensorflow as tf

theta = tf.Variable(1.7)


@tf.custom_gradient
def root(theta):
    x = tf.constant(1.0)
    for _ in range(15):
        x = x - (x ** 3 + x - theta) / (3.0 * x ** 2 + 1.0)

    def grad(upstream):
        return upstream / (3.0 * x ** 2 + 1.0)

    return x, grad


for _ in range(3):
    with tf.GradientTape() as tape:
        loss = (root(theta) - 0.5) ** 2
    theta.assign_sub(0.5 * tape.gradient(loss, theta))
print("RESULT:", float(theta), float(loss))
