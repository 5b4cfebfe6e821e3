import tensorflow as tf

x, y = tf.Variable(1.0), tf.Variable(-0.5)
for step in range(5):
    with tf.GradientTape(persistent=True) as tape:
        cost_x = x * y + 0.5 * x**2
        cost_y = -x * y + 0.5 * y**2
    steps = {x.ref(): tape.gradient(cost_x, x), y.ref(): tape.gradient(cost_y, y)}
    del tape
    for ref, g in sorted(steps.items(), key=lambda each: float(each[1])):
        ref.deref().assign_sub(0.1 * g)
print(x.numpy(), y.numpy())
