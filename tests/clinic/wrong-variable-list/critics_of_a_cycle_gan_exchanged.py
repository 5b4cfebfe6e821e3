"""CycleGAN-like training: the second generator's gradients are taken for the first one's variables."""
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)


class Net(tf.Module):
    def __init__(self, a, b):
        super().__init__()
        self.w = tf.Variable(rng.normal(0, 0.4, (a, b)).astype("float32"))
        self.b = tf.Variable(tf.zeros(b))

    def __call__(self, x):
        return tf.tanh(x @ self.w + self.b)


nets = {"G": Net(4, 4), "F": Net(4, 4), "DX": Net(4, 1), "DY": Net(4, 1)}


def adversarial(d, x):
    return tf.reduce_mean((d(x) - 1.0) ** 2)


def critic(d, real, fake):
    return tf.reduce_mean((d(real) - 1.0) ** 2) + tf.reduce_mean(d(fake) ** 2)


def step(x, y, lr=0.05, cycle=2.0):
    G, F, DX, DY = (nets[k] for k in ("G", "F", "DX", "DY"))
    with tf.GradientTape(persistent=True) as tape:
        fy, fx = G(x), F(y)
        g_adv, f_adv = adversarial(DY, fy), adversarial(DX, fx)
        cyc_x, cyc_y = tf.reduce_mean(tf.abs(F(fy) - x)), tf.reduce_mean(tf.abs(G(fx) - y))
        g_loss = g_adv + cycle * (cyc_x + cyc_y)
        f_loss = f_adv + cycle * (cyc_x + cyc_y)
        dx_loss, dy_loss = critic(DX, x, fx), critic(DY, y, fy)
    plan = [
        (g_loss, nets["G"].trainable_variables),
        (f_loss, nets["F"].trainable_variables),
        (dx_loss, nets["DY"].trainable_variables),  # cause
        (dy_loss, nets["DX"].trainable_variables),  # cause
    ]
    for loss, variables in plan:
        grads = tape.gradient(loss, variables)  # cause
        for v, g in zip(variables, grads):
            if g is not None:
                v.assign_sub(lr * g)
    return [float(l) for l, _ in plan]


for i in range(3):
    x = tf.constant(rng.normal(0, 1, (6, 4)).astype("float32"))
    y = tf.constant(rng.normal(1, 1, (6, 4)).astype("float32"))
    print(step(x, y))
