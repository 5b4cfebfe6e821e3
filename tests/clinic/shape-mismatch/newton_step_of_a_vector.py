import tensorflow as tf

point = tf.Variable([1.2, -0.7, 0.4])


def valley(x):
    return tf.reduce_sum(10.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


for _ in range(2):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            height = valley(point)
        slope = inner.gradient(height, point)
    curvature = outer.jacobian(slope, point)
    point.assign_sub(tf.linalg.solve(curvature, slope))  # cause
print("RESULT:", point.numpy())
