"""A binary classifier whose loss object is called like those of another library: the prediction first."""
import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Trainer:
    def __init__(self, model):
        self.model, self.criterion = model, tf.keras.losses.BinaryCrossentropy()
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def step(self, x, y):
        with tf.GradientTape() as tape:
            output = self.model(x, training=True)
            loss = self.criterion(output, y)  # cause
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


layers = [tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, activation="sigmoid")]
trainer = Trainer(tf.keras.Sequential(layers))
x = tf.random.normal((64, 5))
y = tf.cast(tf.reduce_sum(x, axis=1, keepdims=True) > 0, tf.float32)
for _ in range(4):
    print(trainer.step(x, y).numpy())
