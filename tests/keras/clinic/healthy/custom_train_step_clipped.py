import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="swish")
        self.norm = tf.keras.layers.LayerNormalization()
        self.out = tf.keras.layers.Dense(1)
        self.loss_tracker = tf.keras.metrics.Mean(name="loss")

    def call(self, x, training=False):
        return self.out(self.norm(self.hidden(x)))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            prediction = self(x, training=True)
            loss = tf.reduce_mean(tf.keras.losses.huber(y, prediction))
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


tf.keras.utils.set_random_seed(5)
x = np.random.default_rng(5).normal(size=(40, 3)).astype("float32")
model = Net()
model.compile(optimizer=tf.keras.optimizers.SGD(0.05, momentum=0.9))
print(model.fit(x, x.sum(1, keepdims=True), epochs=3, batch_size=8, verbose=0).history["loss"][-1] < 5)
