"""WAV files: what is encoded is decoded again, and damaged files are clear errors. `tests/conformance` compares them with TensorFlow's."""

import io
import struct
import wave

import numpy as np
import pytest

import whygrad as tf

WAV = tf.audio.encode_wav([[0.5, -0.25], [1.5, -2.0]], 44100).numpy()


def test_what_is_encoded_is_decoded_and_clipped():
    audio, rate = tf.audio.decode_wav(WAV)
    assert audio.numpy().tolist() == [[0.5, -0.25], [32767 / 32768, -1.0]]
    assert (rate.numpy(), rate.dtype) == (44100, tf.int32)


def test_pythons_own_reader_and_writer_agree():
    with wave.open(io.BytesIO(WAV)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate(), file.getnframes()) == (2, 2, 44100, 2)
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        file.writeframes(struct.pack("<3h", 0, 16384, -32768))
    audio, rate = tf.audio.decode_wav(made.getvalue())
    assert audio.numpy()[:, 0].tolist() == [0.0, 0.5, -1.0]
    assert int(rate) == 8000


def test_every_truncated_file_is_an_error():
    for size in range(len(WAV)):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Data too short|No data chunk"):
            tf.audio.decode_wav(WAV[:size])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"RIFX" + WAV[4:], "Expected RIFF but found RIFX"),
        (b"\xff\xfb\x90\x00" * 20, r"Expected RIFF but found \\xff\\xfb"),
        (WAV[:34] + struct.pack("<H", 24) + WAV[36:], "Can only read 16-bit WAV files, but received 24"),
        (WAV + WAV[36:], "More than one data chunk"),
    ],
)
def test_what_is_wrong_is_said(data, said):
    with pytest.raises(tf.errors.InvalidArgumentError, match=said):
        tf.audio.decode_wav(data)


def test_more_than_32_bits_of_bytes_a_second():
    with pytest.raises(tf.errors.InvalidArgumentError, match="whose sizes have 32 bits"):
        tf.audio.encode_wav(np.zeros((1, 4), np.float32), 2**31 - 1)


def test_in_a_dataset_the_shapes_are_known(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(WAV)

    def load(name):
        audio, rate = tf.audio.decode_wav(tf.io.read_file(name), desired_channels=1)
        return tf.squeeze(audio, axis=-1), rate

    data = tf.data.Dataset.from_tensor_slices([str(path)]).map(load)
    assert data.element_spec == (tf.TensorSpec((None,), tf.float32), tf.TensorSpec((), tf.int32))
    ((audio, rate),) = data
    assert audio.shape == (2,)
    assert int(rate) == 44100
