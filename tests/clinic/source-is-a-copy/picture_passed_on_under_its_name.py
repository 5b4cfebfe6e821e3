"""The picture is watched, and its name is then used for what each layer makes of it: the gradient is that of the last features."""
import tensorflow as tf

draw = tf.random.Generator.from_seed(9)
layers = [draw.normal((6, 6), stddev=0.5) for _ in range(3)]
readout = draw.normal((6, 2))


def saliency(picture, wanted):
    with tf.GradientTape() as tape:
        tape.watch(picture)
        for kernel in layers:
            picture = tf.nn.softplus(picture @ kernel)  # cause
        score = (picture @ readout)[:, wanted]
    return tf.abs(tape.gradient(score, picture))


print(saliency(draw.uniform((1, 6)), 1).numpy())
