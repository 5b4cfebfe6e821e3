import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)
images = rng.random((48, 8, 8, 1), dtype="float32")
labels = (images.mean(axis=(1, 2, 3)) > 0.5).astype("int32")

base = tf.keras.Sequential(
    [
        tf.keras.Input((8, 8, 1)),
        tf.keras.layers.Conv2D(4, 3, activation="relu"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.GlobalAveragePooling2D(),
    ],
    name="base",
)
base.trainable = False
inputs = tf.keras.Input((8, 8, 1))
outputs = tf.keras.layers.Dense(2)(base(inputs, training=False))
model = tf.keras.Model(inputs, outputs)
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile("adam", loss, metrics=["accuracy"])
model.fit(images, labels, epochs=2, batch_size=16, verbose=0)

base.trainable = True
model.compile(tf.keras.optimizers.Adam(1e-5), loss)
model.fit(images, labels, epochs=1, batch_size=16, verbose=0)
print(model.evaluate(images, labels, verbose=0))
