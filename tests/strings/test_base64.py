"""Base 64, beside the rows of `tests/strings/strings.txt`."""

import os

import whygrad as tf


def test_what_is_encoded_is_decoded_again():
    data = [os.urandom(length) for length in range(20)]
    for pad in (False, True):
        assert tf.io.decode_base64(tf.io.encode_base64(data, pad=pad)).numpy().tolist() == data
