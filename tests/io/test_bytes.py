"""Files, images, examples and tensors as bytes: what is written is read, and what is damaged is refused."""

import os

import numpy as np
import pytest

import whygrad as tf


def test_files(tmp_path):
    path = tmp_path / "new" / "file"
    tf.io.write_file(str(path), "ant\nbee\n")
    assert tf.io.read_file(str(path)).numpy() == b"ant\nbee\n"
    assert tf.io.read_file(path).numpy() == tf.io.read_file(tf.constant(str(path))).numpy()
    assert tf.io.matching_files(str(tmp_path / "*" / "*")).numpy().tolist() == [str(path).encode()]
    with pytest.raises(tf.errors.NotFoundError, match=r"none; No such file"):
        tf.io.read_file(str(tmp_path / "none"))
    with pytest.raises(tf.errors.FailedPreconditionError):
        tf.io.read_file(str(tmp_path))


def test_gfile(tmp_path):
    join, gfile = tf.io.gfile.join, tf.io.gfile
    folder = join(str(tmp_path), "a", "b")
    gfile.makedirs(folder)
    with gfile.GFile(join(folder, "text"), "w") as file:
        file.write("one\ntwo\n")
    with gfile.GFile(join(folder, "text"), "a") as file:
        file.write("three")
    with gfile.GFile(join(folder, "text")) as file:
        assert file.readline() == "one\n"
        assert file.readlines() == ["two\n", "three"]
        assert file.size() == 13
    gfile.copy(join(folder, "text"), join(folder, "copy"))
    with pytest.raises(tf.errors.AlreadyExistsError):
        gfile.copy(join(folder, "text"), join(folder, "copy"))
    gfile.rename(join(folder, "copy"), join(folder, "moved"))
    assert sorted(gfile.listdir(folder)) == ["moved", "text"]
    assert [os.path.basename(each) for each in gfile.glob(join(folder, "m*"))] == ["moved"]
    assert gfile.stat(join(folder, "text")).length == 13
    gfile.remove(join(folder, "moved"))
    assert [files for _, _, files in gfile.walk(folder)] == [["text"]]
    gfile.rmtree(str(tmp_path / "a"))
    assert not gfile.exists(folder)


def test_examples_survive_and_damage_does_not():
    features = {
        "numbers": tf.train.Feature(int64_list=tf.train.Int64List(value=[1, -2, 2**62])),
        "words": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"", b"bee"])),
        "parts": tf.train.Feature(float_list=tf.train.FloatList(value=[0.5])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=features))
    data = example.SerializeToString()
    assert tf.train.Example.FromString(data) == example
    cuts = 0
    for end in range(1, len(data)):  # every cut is an error or a message: never a crash
        try:
            assert tf.train.Example.FromString(data[:end]) != example
        except ValueError:
            cuts += 1
    assert cuts > len(data) // 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse example input"):
        tf.io.parse_single_example(data[:-1], {"words": tf.io.FixedLenFeature([2], tf.string)})


def test_a_feature_has_one_kind():
    feature = tf.train.Feature()
    assert feature.WhichOneof("kind") is None
    assert list(feature.float_list.value) == []
    assert feature.WhichOneof("kind") is None
    feature.float_list.value.append(1.5)
    assert feature.WhichOneof("kind") == "float_list"
    feature.int64_list.value.extend([1, 2])
    assert feature.WhichOneof("kind") == "int64_list"
    assert (
        feature.SerializeToString() == tf.train.Feature(int64_list=tf.train.Int64List(value=[1, 2])).SerializeToString()
    )


def test_steps_of_a_sequence():
    steps = tf.train.FeatureList(feature=[tf.train.Feature(int64_list=tf.train.Int64List(value=[i])) for i in range(3)])
    made = tf.train.SequenceExample(feature_lists=tf.train.FeatureLists(feature_list={"steps": steps}))
    found = tf.train.SequenceExample.FromString(made.SerializeToString())
    assert [each.int64_list.value[0] for each in found.feature_lists.feature_list["steps"].feature] == [0, 1, 2]


def test_images_need_pillow():
    pytest.importorskip("PIL")
    pixels = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)
    data = tf.io.encode_png(pixels)
    assert tf.io.decode_png(data).numpy().tolist() == pixels.tolist()
    assert tf.image.decode_png is tf.io.decode_png
    assert tf.io.decode_image(data, channels=1).shape == (4, 5, 1)
    assert tf.io.decode_jpeg(tf.io.encode_jpeg(pixels), ratio=2).shape == (2, 3, 3)
    wide = np.arange(6, dtype=np.uint16).reshape(2, 3, 1) * 300
    assert tf.io.decode_png(tf.io.encode_png(wide), dtype=tf.uint16).numpy().tolist() == wide.tolist()
    whole = data.numpy()
    for end in range(0, len(whole) - 24, 7):  # the last bytes are checksums and the end, without pixels
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.io.decode_png(whole[:end])
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be scalar"):
        tf.io.decode_png([whole])


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_images_of_16_bits_a_channel(channels):
    pixels = np.random.default_rng(channels).integers(0, 2**16, (5, 7, channels), np.uint16)
    data = tf.io.encode_png(pixels)
    assert tf.io.decode_png(data, dtype=tf.uint16).numpy().tolist() == pixels.tolist()
    assert tf.io.decode_image(
        data, dtype=tf.float32, expand_animations=False
    ).numpy().max() == pixels.max() / np.float32(65535)
    whole = data.numpy()
    for end in range(29, len(whole) - 16, 11):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid PNG data"):
            tf.io.decode_png(whole[:end], dtype=tf.uint16)
    for wrong in (whole[:20] + b"\x7f" + whole[21:], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="Invalid PNG data"):
            tf.io.decode_png(wrong, dtype=tf.uint16)
    if channels > 2:
        with pytest.raises(tf.errors.UnimplementedError, match="not made grey"):
            tf.io.decode_png(data, channels=1, dtype=tf.uint16)


def test_a_batch_of_images():
    pytest.importorskip("PIL")
    pixels = np.arange(2 * 3 * 4 * 5 * 3, dtype=np.uint8).reshape(2, 3, 4, 5, 3)
    files = tf.io.encode_png(pixels)
    assert files.shape == (2, 3)
    assert tf.io.decode_png(files[1, 2]).numpy().tolist() == pixels[1, 2].tolist()
    assert tf.io.encode_png(pixels[:, :0]).shape == (2, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"images must be at least rank 3\[5,3\]"):
        tf.io.encode_png(pixels[0, 0, 0])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be of tf.uint8 or tf.uint16, but is of int32"):
        tf.io.encode_png(pixels.astype(np.int32))


def test_without_pillow_the_extra_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'whygrad\[scripts\]'"):
        tf.io.decode_png(b"any")


def test_raw_strings_of_different_sizes():
    with pytest.raises(tf.errors.InvalidArgumentError, match="but element 2 has size 5 != 2"):
        tf.io.decode_raw(["AAAAA", "BBBBB", "CC"], tf.uint8)
