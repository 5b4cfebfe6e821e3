import tensorflow as tf


class Probe(tf.Module):
    def __init__(self):
        self.scale = tf.Variable([0.3, -0.7, 1.1])
        self.activations = None

    @tf.function
    def __call__(self, x):
        self.activations = tf.sin(self.scale * x)  # cause
        return tf.reduce_mean(self.activations**2)


probe = Probe()
with tf.GradientTape(persistent=True) as tape:
    score = probe(tf.constant([1.0, 2.0, 3.0]))
weights_gradient = tape.gradient(score, probe.scale)
layer_gradient = tape.gradient(score, probe.activations)
print("RESULT:", weights_gradient, layer_gradient)
