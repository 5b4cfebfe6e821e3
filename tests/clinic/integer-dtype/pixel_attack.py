import tensorflow as tf

tf.random.set_seed(7)
kernel = tf.random.normal([3, 3, 3, 4], stddev=0.1)
head = tf.random.normal([4, 2], stddev=0.3)


def preprocess(img):
    return tf.image.convert_image_dtype(img, tf.float32) - 0.5


def classify(img):
    h = tf.nn.relu(tf.nn.conv2d(img[None], kernel, 1, "SAME"))
    return tf.reduce_mean(h, axis=[1, 2]) @ head


image = tf.cast(tf.random.uniform([8, 8, 3], maxval=256, dtype=tf.int32), tf.uint8)  # cause
label = tf.constant([1])
with tf.GradientTape() as tape:
    tape.watch(image)  # cause
    logits = classify(preprocess(image))
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(label, logits))
saliency = tape.gradient(loss, image)
print("RESULT:", saliency)
