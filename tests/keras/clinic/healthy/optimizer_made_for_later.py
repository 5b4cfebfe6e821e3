"""Gradients are looked at before training; the optimizer makes its steps in `fit`."""
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(1)])
x = tf.random.normal((32, 4))
y = tf.reduce_sum(x, axis=1, keepdims=True)
model.build(x.shape)
optimizer = tf.keras.optimizers.Adam(0.01)
sizes = []
for start in range(0, 32, 8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x[start : start + 8]) - y[start : start + 8]) ** 2)
    sizes.append(tf.linalg.global_norm(tape.gradient(loss, model.trainable_variables)))
print("noise of the gradient", tf.math.reduce_std(tf.stack(sizes)).numpy())
model.compile(optimizer, "mse")
model.fit(x, y, epochs=1, verbose=0)
