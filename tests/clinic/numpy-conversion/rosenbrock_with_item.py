import tensorflow as tf

p = tf.Variable([-1.2, 1.0])
for step in range(3):
    with tf.GradientTape() as tape:
        first = p[0].numpy().item()  # cause
        value = (1.0 - p[0]) ** 2 + 100.0 * (p[1] - first**2) ** 2
    p.assign_sub(1e-3 * tape.gradient(value, p))
print(p.numpy())
