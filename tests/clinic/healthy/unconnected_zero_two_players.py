import tensorflow as tf

x, y = tf.Variable(1.0), tf.Variable(-0.5)
for _ in range(20):
    with tf.GradientTape(persistent=True) as tape:
        fx = (x - 1.0) ** 2 + 0.5 * x * y
        fy = (y + 1.0) ** 2
    gx = tape.gradient(fx, x)
    gy = tape.gradient(fy, y)
    cross = tape.gradient(fy, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)
    del tape
    x.assign_sub(0.1 * (gx + cross))
    y.assign_sub(0.1 * gy)
print("RESULT:", x.numpy(), y.numpy())
