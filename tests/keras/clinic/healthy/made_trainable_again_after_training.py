"""Frozen for training, made trainable again before it is handed on; only evaluated afterwards."""
import tensorflow as tf

tf.random.set_seed(0)
L = tf.keras.layers
base, head = L.Dense(8, "relu"), L.Dense(1)
model = tf.keras.Sequential([L.Input((4,)), base, head])
base.trainable = False
opt = tf.keras.optimizers.SGD(0.05)
x = tf.random.normal((40, 4))
y = x[:, :1]
hist = []
for _ in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    hist.append(float(loss))
base.trainable = True
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(x) - y) ** 2)
sensitivity = [float(tf.norm(g)) for g in tape.gradient(loss, head.trainable_variables)]
assert hist[-1] < hist[0] and len(sensitivity) == 2
