import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(10)
x = np.random.default_rng(10).normal(size=(48, 6)).astype("float32")
y = (x[:, :1] * x[:, 1:2] > 0).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(12)
model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(12, activation="tanh", kernel_regularizer="l2"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.AdamW(1e-3)
entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
mean, accuracy = tf.keras.metrics.Mean(), tf.keras.metrics.BinaryAccuracy(threshold=0.0)
for _ in range(2):
    mean.reset_state()
    for features, labels in data:
        with tf.GradientTape() as tape:
            logits = model(features, training=True)
            loss = entropy(labels, logits) + tf.add_n(model.losses)
        gradients = tape.gradient(loss, model.trainable_weights)
        optimizer.apply_gradients(zip(gradients, model.trainable_weights))
        mean.update_state(loss)
        accuracy.update_state(labels, logits)
print(float(mean.result()) > 0)
