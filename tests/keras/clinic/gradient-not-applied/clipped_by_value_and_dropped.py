"""Gradients of a recurrent layer are clipped, and the others are applied."""
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
layer, head = tf.keras.layers.GRU(6), tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.SGD(0.05)
series = tf.random.normal((8, 12, 2))
goal = tf.reduce_sum(series[:, -1], axis=1, keepdims=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(head(layer(x)) - y))
    weights = layer.trainable_weights + head.trainable_weights
    gradients = tape.gradient(loss, weights)
    safe_gradients = [tf.clip_by_value(g, -0.5, 0.5) for g in gradients]  # cause
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


for _ in range(3):
    print(train_step(series, goal).numpy())
