"""A generator of sentences: the discriminator reads tokens that were drawn from its logits."""
import tensorflow as tf

tf.random.set_seed(4)
VOCABULARY, LENGTH, HIDDEN = 12, 5, 6


class Generator(tf.Module):
    def __init__(self):
        super().__init__()
        self.start = tf.Variable(tf.random.normal((3, HIDDEN), stddev=0.4))
        self.recur = tf.Variable(tf.random.normal((HIDDEN, HIDDEN), stddev=0.4))
        self.vocab = tf.Variable(tf.random.normal((HIDDEN, VOCABULARY), stddev=0.4))

    def sample(self, noise):
        h, words = tf.tanh(noise @ self.start), []
        for _ in range(LENGTH):
            words.append(tf.squeeze(tf.random.categorical(h @ self.vocab, 1), 1))  # cause
            h = tf.tanh(h @ self.recur)
        return tf.stack(words, axis=1)


class Discriminator(tf.Module):
    def __init__(self):
        super().__init__()
        self.table = tf.Variable(tf.random.normal((VOCABULARY, 4)))
        self.out = tf.Variable(tf.random.normal((4, 1)))

    def __call__(self, words):
        return tf.reduce_mean(tf.gather(self.table, words), axis=1) @ self.out


generator, discriminator = Generator(), Discriminator()
for _ in range(2):
    with tf.GradientTape() as tape:
        score = discriminator(generator.sample(tf.random.normal((6, 3))))
        loss = tf.reduce_mean(tf.nn.softplus(-score))
    grads = tape.gradient(loss, generator.trainable_variables)
    if any(g is None for g in grads):
        print("generator gets nothing")
        break
