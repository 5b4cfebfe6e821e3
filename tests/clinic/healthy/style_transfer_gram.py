import numpy as np
import tensorflow as tf

rng = np.random.default_rng(8)
filters = [tf.constant(rng.normal(0, 0.3, (3, 3, 3, 6)).astype("float32")),
           tf.constant(rng.normal(0, 0.2, (3, 3, 6, 8)).astype("float32"))]


def extract(image):
    features = []
    x = image * 2.0 - 1.0
    for f in filters:
        x = tf.nn.relu(tf.nn.conv2d(x, f, strides=1, padding="SAME"))
        features.append(x)
        x = tf.nn.avg_pool2d(x, 2, 2, "VALID")
    return features


def gram(f):
    result = tf.linalg.einsum("bijc,bijd->bcd", f, f)
    n = tf.cast(tf.shape(f)[1] * tf.shape(f)[2], tf.float32)
    return result / n


style = tf.constant(rng.random((1, 12, 12, 3)).astype("float32"))
content = tf.constant(rng.random((1, 12, 12, 3)).astype("float32"))
style_grams = [gram(f) for f in extract(style)]
content_target = extract(content)[-1]
image = tf.Variable(content)
best = float("inf")
for step in range(5):
    with tf.GradientTape() as tape:
        out = extract(image)
        style_loss = tf.add_n([tf.reduce_mean((gram(a) - b) ** 2) for a, b in zip(out, style_grams)])
        content_loss = tf.reduce_mean((out[-1] - content_target) ** 2)
        loss = 10.0 * style_loss + content_loss + 1e-4 * tf.reduce_sum(tf.image.total_variation(image))
    grad = tape.gradient(loss, image)
    image.assign(tf.clip_by_value(image - 0.02 * tf.sign(grad), 0.0, 1.0))
    if float(loss) < best:
        best = float(loss)
print("RESULT:", best)
