import tensorflow as tf

params = {"a": tf.Variable(1.0), "b": tf.Variable(2.0)}
with tf.GradientTape() as tape:  # cause
    loss = params["a"] ** 2 * params["b"]
slopes = {name: tape.gradient(loss, variable) for name, variable in params.items()}  # cause
print("RESULT:", slopes)
