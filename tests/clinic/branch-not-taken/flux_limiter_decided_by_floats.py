import tensorflow as tf

speed = tf.Variable(0.8)
diffusion = tf.Variable(0.05)


def flux(u, dx):
    slope = (tf.roll(u, -1, 0) - u) / dx
    peclet = abs(float(speed)) * dx / float(diffusion)
    if peclet > 2.0:  # cause
        return speed * u
    return speed * u - diffusion * slope


def advance(u, dx, dt):
    f = flux(u, dx)
    return u - dt / dx * (f - tf.roll(f, 1, 0))


x = tf.linspace(0.0, 6.0, 24)
u0 = tf.exp(-((x - 2.0) ** 2))
with tf.GradientTape() as tape:
    u = u0
    for _ in range(8):
        u = advance(u, 0.25, 0.05)
    misfit = tf.reduce_mean((u - tf.roll(u0, 1, 0)) ** 2)
print(tape.gradient(misfit, [speed, diffusion]))
