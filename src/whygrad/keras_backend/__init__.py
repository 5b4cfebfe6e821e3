"""Whygrad in TensorFlow's place under Keras: what Keras's TensorFlow backend needs beyond TensorFlow's public names."""
