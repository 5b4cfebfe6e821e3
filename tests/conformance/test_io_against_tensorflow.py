"""`tf.io` beside TensorFlow's: what each writes the other reads, and both give the same tensors and classes of errors."""

import copy
import importlib
import io
import struct
import zlib

import numpy as np
import pytest

import whygrad

Image = pytest.importorskip("PIL.Image")
pytestmark = pytest.mark.tensorflow


def _picture(channels, size=(13, 17)):
    ramp = np.linspace(0, 255, size[0] * size[1] * channels).astype(np.uint8)
    return ramp.reshape(*size, channels)


def _encoded(kind, mode):
    channels = {"L": 1, "RGB": 3, "RGBA": 4, "LA": 2, "P": 3}[mode]
    pixels = _picture(channels)
    image = Image.fromarray(pixels[..., 0] if channels == 1 else pixels)
    if mode == "P":
        image = image.convert("P")
    file = io.BytesIO()
    image.save(file, kind, **({"quality": 95} if kind == "JPEG" else {}))
    return file.getvalue()


def _frames():
    first, second = (Image.fromarray(_picture(3, (8, 9)) // n) for n in (1, 2))
    file = io.BytesIO()
    first.save(file, "GIF", save_all=True, append_images=[second])
    return file.getvalue()


_AUDIO = np.array([[0, 0.5], [1, -1], [1.5, -2], [0.5 / 32768, -0.5 / 32768], [1.5 / 32768, np.nan]], np.float32)


def _wav(start=0, change=b"", end=0):
    """A WAV file, with other bytes from `start` to `end`."""
    data = struct.pack("<IHHIIHH", 16, 1, 2, 44100, 176400, 4, 16)
    data = b"RIFF\x2c\0\0\0WAVEfmt " + data + b"data\x08\0\0\0" + struct.pack("<4h", 0, 16384, -32768, 7)
    return data[:start] + change + data[end:]


IMAGES = {
    "png": lambda tf: tf.io.decode_png(_encoded("PNG", "RGB")),
    "png of 4 channels": lambda tf: tf.io.decode_png(_encoded("PNG", "RGBA")),
    "png of 2 channels": lambda tf: tf.io.decode_png(_encoded("PNG", "LA")),
    "png of 1 channel": lambda tf: tf.io.decode_png(_encoded("PNG", "L")),
    "png of a palette": lambda tf: tf.io.decode_png(_encoded("PNG", "P")),
    "png of 1 channel as 3": lambda tf: tf.io.decode_png(_encoded("PNG", "L"), channels=3),
    "png without alpha": lambda tf: tf.io.decode_png(_encoded("PNG", "RGBA"), channels=3),
    "bmp": lambda tf: tf.io.decode_bmp(_encoded("BMP", "RGB")),
    "gif": lambda tf: tf.io.decode_gif(_frames()),
    "image": lambda tf: tf.io.decode_image(_encoded("PNG", "RGB"), dtype=tf.float32),
    "image of frames": lambda tf: tf.io.decode_image(_frames()),
    "image of the first frame": lambda tf: tf.io.decode_image(_frames(), expand_animations=False),
    "shape": lambda tf: tf.io.extract_jpeg_shape(_encoded("JPEG", "RGB")),
    "raw": lambda tf: tf.io.decode_raw([b"\1\0\2\0", b"\3\0\4\0"], tf.int16),
    "raw, high bytes first": lambda tf: tf.io.decode_raw(b"\1\0\2\0", tf.int16, little_endian=False),
    "raw, padded": lambda tf: tf.io.decode_raw([b"\1\2", b"\3"], tf.uint8, fixed_length=3),
    "csv": lambda tf: tf.io.decode_csv(['a,"b ""c""",3', "d,e,"], ["", tf.constant([], tf.string), -1])[1],
    "csv columns": lambda tf: tf.io.decode_csv(["1,2,3", "4,5,6"], [tf.constant([], tf.int32)], select_cols=[1])[0],
    "wav": lambda tf: tf.audio.decode_wav(_wav())[0],
    "wav rate": lambda tf: tf.audio.decode_wav(_wav()).sample_rate,
    "wav of 1 channel": lambda tf: tf.audio.decode_wav(_wav(), desired_channels=1)[0],
    "wav of more channels": lambda tf: tf.audio.decode_wav(_wav(), desired_channels=4)[0],
    "wav of more samples": lambda tf: tf.audio.decode_wav(_wav(), desired_samples=7)[0],
    "wav of fewer samples": lambda tf: tf.audio.decode_wav(_wav(), desired_channels=0, desired_samples=2)[0],
    "wav with other chunks": lambda tf: tf.audio.decode_wav(
        _wav(12, b"JUNK\3\0\0\0abc", 12)[:-8] + b"LIST\2\0\0\0ab" + _wav()[36:])[0],
    "wav of a longer format": lambda tf: tf.audio.decode_wav(_wav(16, b"\x12", 17)[:36] + b"\0\0" + _wav()[36:])[0],
    "to wav": lambda tf: tf.audio.encode_wav(_AUDIO, 44100),
    "nothing to wav": lambda tf: tf.audio.encode_wav(_AUDIO[:0], 8000),
    "floats of csv": lambda tf: tf.io.decode_csv(["1.5,x", ",x", "NA,x"], [[0.25], ""], na_value="NA")[0],
}  # fmt: skip


@pytest.mark.parametrize("name", IMAGES)
def test_the_same_tensor(real_tf, name):
    expected, found = IMAGES[name](real_tf), IMAGES[name](whygrad)
    assert found.dtype.name == expected.dtype.name
    if found.dtype.name == "float32":
        np.testing.assert_allclose(
            found.numpy(), expected.numpy(), rtol=3e-7
        )  # TensorFlow multiplies by a rounded 1 / 255
    else:
        np.testing.assert_array_equal(found.numpy(), expected.numpy())


@pytest.mark.parametrize(("mode", "channels"), [("RGB", 0), ("RGB", 1), ("L", 0), ("L", 3)])
def test_jpeg_up_to_rounding(real_tf, mode, channels):
    """Pillow has the accurate transform. Libraries may differ by its rounding."""
    data = _encoded("JPEG", mode)
    expected, found = [
        tf.io.decode_jpeg(data, channels=channels, dct_method="INTEGER_ACCURATE").numpy().astype(int)
        for tf in (real_tf, whygrad)
    ]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= 2


@pytest.mark.parametrize(("mode", "channels"), [("RGB", 0), ("RGB", 1), ("RGB", 3), ("L", 0), ("L", 3)])
@pytest.mark.parametrize("quality", [40, 75, 95])
def test_jpeg_by_the_fast_transform(real_tf, mode, channels, quality):
    rows, columns = np.mgrid[0:61, 0:83]
    pixels = np.stack([columns * 3 % 256, 128 + 100 * np.sin(rows / 5), rows * columns % 256], -1).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).convert(mode).save(file, "JPEG", quality=quality)
    for decode in (
        lambda tf: tf.io.decode_jpeg(file.getvalue(), channels=channels),
        lambda tf: tf.io.decode_jpeg(
            file.getvalue(), channels=channels, fancy_upscaling=False, dct_method="INTEGER_FAST"
        ),
        lambda tf: tf.io.decode_image(file.getvalue(), channels=channels),
    ):
        np.testing.assert_array_equal(decode(whygrad).numpy(), decode(real_tf).numpy())


def test_what_is_encoded_is_read_by_the_other(real_tf):
    pixels = _picture(3)
    np.testing.assert_array_equal(real_tf.io.decode_png(whygrad.io.encode_png(pixels).numpy()).numpy(), pixels)
    ours = real_tf.io.decode_jpeg(whygrad.io.encode_jpeg(pixels).numpy()).numpy().astype(int)
    theirs = real_tf.io.decode_jpeg(real_tf.io.encode_jpeg(pixels)).numpy().astype(int)
    assert np.abs(ours - theirs).max() <= 2


QUALITIES = {
    "bytes": lambda tf, pixels: tf.image.adjust_jpeg_quality(pixels, 60),
    "bytes, fast": lambda tf, pixels: tf.image.adjust_jpeg_quality(pixels, 60, dct_method="INTEGER_FAST"),
    "floats": lambda tf, pixels: tf.image.adjust_jpeg_quality(tf.image.convert_image_dtype(pixels, tf.float32), 90),
    "random": lambda tf, pixels: tf.image.stateless_random_jpeg_quality(pixels, 20, 90, seed=(3, 4)),
    "grey": lambda tf, pixels: tf.image.adjust_jpeg_quality(pixels[..., :1], 80),
}


@pytest.mark.parametrize("name", QUALITIES)
def test_jpeg_qualities(real_tf, name):
    rows, columns = np.mgrid[0:48, 0:64]
    pixels = np.stack([columns * 3, 128 + 100 * np.sin(rows / 5), rows + columns], -1).astype(np.uint8)
    expected, found = QUALITIES[name](real_tf, pixels), QUALITIES[name](whygrad, pixels)
    assert (found.dtype.name, found.shape) == (expected.dtype.name, tuple(expected.shape))
    step = 255 if found.dtype.name == "float32" else 1
    difference = np.abs(found.numpy().astype(float) - expected.numpy().astype(float)) * step
    assert difference.max() <= 4  # the two libraries round in encoding


@pytest.mark.parametrize(("low", "high"), [(-1, 50), (50, 101), (60, 60), (70, 60)])
def test_jpeg_qualities_out_of_range(real_tf, low, high):
    for tf in (real_tf, whygrad):
        with pytest.raises(ValueError, match=r"jpeg encoding range|min_jpeg_quality"):
            tf.image.random_jpeg_quality(np.zeros((8, 8, 3), np.uint8), low, high)


def _wide_picture(channels):
    rows, columns = np.mgrid[0:13, 0:11]
    smooth = np.stack([rows * 4000, columns * 5000, rows * columns * 300, 65535 - rows * 777], -1)
    return (smooth[..., :channels] + 7 * rows[..., None] % 5).astype(np.uint16)


def _filtered(pixels, width, step):
    """The rows of a picture as PNG stores them, each by another filter."""
    rows = pixels.astype(">u2").reshape(len(pixels), -1).view(np.uint8).astype(int)
    stored, above = b"", np.zeros(rows.shape[1], int)
    for number, row in enumerate(rows):
        left, corner = (np.concatenate([np.zeros(step, int), each[:-step]]) for each in (row, above))
        guess = left + above - corner
        far = np.abs(np.stack([guess - left, guess - above, guess - corner]))
        nearest = np.choose(far.argmin(0), [left, above, corner])
        kind = number % 5
        minus = (0, left, above, (left + above) // 2, nearest)[kind]
        stored += bytes([kind]) + ((row - minus) % 256).astype(np.uint8).tobytes()
        above = row
    return stored


def _wide_png(pixels, interlaced):
    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1)]
    height, width, channels = pixels.shape
    parts = [pixels[row::rows, column::columns] for row, column, rows, columns in passes]
    stored = b"".join(_filtered(each, width, 2 * channels) for each in parts if each.size)
    header = struct.pack(">IIBBBBB", width, height, 16, {2: 4, 3: 2, 4: 6}[channels], 0, 0, interlaced)
    found = b"\x89PNG\r\n\x1a\n"
    for name, content in ((b"IHDR", header), (b"IDAT", zlib.compress(stored)), (b"IEND", b"")):
        found += struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
    return found


@pytest.mark.parametrize("channels", [2, 3, 4])
def test_png_of_16_bits_a_channel(real_tf, channels):
    pixels = _wide_picture(channels)
    files = [whygrad.io.encode_png(pixels).numpy(), real_tf.io.encode_png(pixels).numpy()]
    files += [_wide_png(pixels, False), _wide_png(pixels, True), _wide_png(pixels[:2, :3], True)]
    grey_or_colour = channels - (channels % 2 == 0)
    for call in (
        lambda tf, file: tf.io.decode_png(file, dtype=tf.uint16),
        lambda tf, file: tf.io.decode_png(file, channels=4, dtype=tf.uint16),
        lambda tf, file: tf.io.decode_png(file, channels=grey_or_colour, dtype=tf.uint16),
        lambda tf, file: tf.io.decode_png(file),
        lambda tf, file: tf.io.decode_image(file, dtype=tf.uint16),
        lambda tf, file: tf.io.decode_image(file, dtype=tf.float32),
    ):
        for file in files:
            np.testing.assert_array_equal(call(whygrad, file).numpy(), call(real_tf, file).numpy())


ERRORS = {
    "no image": lambda tf: tf.io.decode_image(b"nothing"),
    "broken png": lambda tf: tf.io.decode_png(_encoded("PNG", "RGB")[:60]),
    "broken png data": lambda tf: tf.io.decode_png(_encoded("PNG", "RGB")[:-40] + b"?" * 40),
    "no png": lambda tf: tf.io.decode_png(b""),
    "no gif": lambda tf: tf.io.decode_gif(b"GIF89a"),
    "no file": lambda tf: tf.io.read_file("not/there"),
    "raw of half a number": lambda tf: tf.io.decode_raw(b"\1\2\3", tf.int16),
    "raw of different sizes": lambda tf: tf.io.decode_raw([b"\1", b"\1\2"], tf.uint8),
    "csv with a missing field": lambda tf: tf.io.decode_csv(["1,2"], [1, 1, 1]),
    "csv with an empty required field": lambda tf: tf.io.decode_csv(["1,"], [1, tf.constant([], tf.int32)]),
    "csv with text for a number": lambda tf: tf.io.decode_csv(["a"], [1]),
    "no folder": lambda tf: tf.io.gfile.listdir("not/there"),
    "no file to delete": lambda tf: tf.io.gfile.remove("not/there"),
    "no file to open": lambda tf: tf.io.gfile.GFile("not/there").read(),
    "no example": lambda tf: tf.io.parse_single_example(b"junk!", {"a": tf.io.FixedLenFeature([], tf.int64)}),
    "a feature that is missing": lambda tf: tf.io.parse_single_example(b"", {"a": tf.io.FixedLenFeature([], tf.int64)}),
    "a feature of another dtype": lambda tf: tf.io.parse_single_example(
        _example(tf), {"floats": tf.io.FixedLenFeature([2], tf.int64)}
    ),
    "a feature of another size": lambda tf: tf.io.parse_single_example(
        _example(tf), {"floats": tf.io.FixedLenFeature([3], tf.float32)}
    ),
    "no tensor": lambda tf: tf.io.parse_tensor(b"junk!", tf.int32),
    "a tensor of another dtype": lambda tf: tf.io.parse_tensor(tf.io.serialize_tensor([1.0]), tf.int32),
    "half a wav": lambda tf: tf.audio.decode_wav(_wav()[:-1]),
    "no wav": lambda tf: tf.audio.decode_wav(b""),
    "wav without data": lambda tf: tf.audio.decode_wav(_wav()[:36]),
    "wav of two data": lambda tf: tf.audio.decode_wav(_wav() + _wav()[36:]),
    "wav of another kind": lambda tf: tf.audio.decode_wav(_wav(8, b"AVI ", 12)),
    "wav of another chunk": lambda tf: tf.audio.decode_wav(_wav(12, b"LIST", 16)),
    "wav of another format": lambda tf: tf.audio.decode_wav(_wav(20, b"\3", 21)),
    "wav of no channels": lambda tf: tf.audio.decode_wav(_wav(22, b"\0", 23)),
    "wav of another rate": lambda tf: tf.audio.decode_wav(_wav(24, b"\0", 25)),
    "wav of another frame": lambda tf: tf.audio.decode_wav(_wav(32, b"\3", 33)),
    "wav of 8 bits": lambda tf: tf.audio.decode_wav(_wav(34, b"\x08", 35)),
    "wav of a huge chunk": lambda tf: tf.audio.decode_wav(_wav(40, b"\0\0\0\xff", 44)),
    "wav in a list": lambda tf: tf.audio.decode_wav([_wav()]),
    "wav of a number": lambda tf: tf.audio.decode_wav(3),
    "wav of -2 samples": lambda tf: tf.audio.decode_wav(_wav(), desired_samples=-2),
    "to wav of one axis": lambda tf: tf.audio.encode_wav(_AUDIO[0], 8000),
    "to wav of no channels": lambda tf: tf.audio.encode_wav(_AUDIO[:, :0], 8000),
    "to wav of several rates": lambda tf: tf.audio.encode_wav(_AUDIO, [8000]),
    "to wav of rate 0": lambda tf: tf.audio.encode_wav(_AUDIO, 0),
    "to wav of a broken rate": lambda tf: tf.audio.encode_wav(_AUDIO, 0.5),
    "to wav of another dtype": lambda tf: tf.audio.encode_wav(tf.constant(_AUDIO, tf.float64), 8000),
    "wrong bytes": lambda tf: tf.train.BytesList(value=["text"]),
    "wrong integer": lambda tf: tf.train.Int64List(value=[1.5]),
    "none for a number": lambda tf: tf.train.FloatList(value=[None]),
    "too large an integer": lambda tf: tf.train.Int64List(value=[2**63]),
    "no field": lambda tf: tf.train.Feature(number=1),
    "no message": lambda tf: tf.train.Example.FromString(b"junk!"),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_an_error(real_tf, name):
    def class_of(tf):
        with pytest.raises(Exception) as caught:  # its class is compared
            ERRORS[name](tf)
        return type(caught.value).__name__

    assert class_of(whygrad) == class_of(real_tf)


def _example(tf):
    train = tf.train
    features = {
        "floats": train.Feature(float_list=train.FloatList(value=[0.9876, 1e-7])),
        "numbers": train.Feature(int64_list=train.Int64List(value=[-1, 5, 2**62])),
        "words": train.Feature(bytes_list=train.BytesList(value=[b"ant\n", b"\xff'\""])),
    }
    return train.Example(features=train.Features(feature=features)).SerializeToString()


def test_examples_of_each_are_read_by_the_other(real_tf):
    for writer, reader in ((real_tf, whygrad), (whygrad, real_tf)):
        found = reader.train.Example.FromString(_example(writer)).features.feature
        assert list(found["numbers"].int64_list.value) == [-1, 5, 2**62]
        assert list(found["words"].bytes_list.value) == [b"ant\n", b"\xff'\""]
        assert found["floats"].float_list.value[0] == np.float32(0.9876)


def test_messages_print_the_same(real_tf):
    for name, value in {
        "float_list": [0.9876, 91, 1e-7, 1e20],
        "int64_list": [-1],
        "bytes_list": [b"a\"\n\xff't\\"],
    }.items():

        def feature(tf, name=name, value=value):
            kind = {"float_list": "FloatList", "int64_list": "Int64List", "bytes_list": "BytesList"}[name]
            made = tf.train.Feature(**{name: getattr(tf.train, kind)(value=value)})
            return str(tf.train.Example(features=tf.train.Features(feature={"only": made})))

        assert feature(whygrad) == feature(real_tf)


def test_parsed_examples(real_tf):
    def parsed(tf):
        features = {
            "floats": tf.io.FixedLenFeature([2], tf.float32),
            "numbers": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=7),
            "absent": tf.io.FixedLenFeature([], tf.string, default_value="none"),
            "words": tf.io.RaggedFeature(tf.string),
        }
        records = [_example(tf), _example(tf)]
        batch = tf.io.parse_example(records, features)
        one = tf.io.parse_single_example(records[0], features)
        dataset = tf.data.Dataset.from_tensor_slices(records).map(
            lambda each: tf.io.parse_single_example(each, {"floats": features["floats"]})
        )
        return {
            "batch": {
                key: value.to_list() if key == "words" else value.numpy().tolist() for key, value in batch.items()
            },
            "one": {key: np.asarray(value.numpy()).tolist() for key, value in one.items()},
            "spec": repr(dataset.element_spec),
        }

    assert parsed(whygrad) == parsed(real_tf)


@pytest.mark.parametrize(
    "value", [[[1, 2], [3, 4]], 1.5, ["ant", "bee"], np.zeros((0, 2)), [True, False], np.float16(2), np.uint8([1])]
)
def test_tensors_of_each_are_read_by_the_other(real_tf, value):
    for writer, reader in ((real_tf, whygrad), (whygrad, real_tf)):
        tensor = writer.constant(value)
        data = writer.io.serialize_tensor(tensor).numpy()
        found = reader.io.parse_tensor(data, tensor.dtype.name)
        np.testing.assert_array_equal(found.numpy(), tensor.numpy())


def test_the_specs_of_images(real_tf, tmp_path):
    path = str(tmp_path / "picture.png")
    whygrad.io.write_file(path, _encoded("PNG", "RGB"))

    def specs(tf):
        names = tf.data.Dataset.from_tensor_slices([path])
        read = names.map(tf.io.read_file)
        decoded = read.map(lambda data: tf.io.decode_jpeg(data, channels=3))
        sized = decoded.map(lambda image: tf.image.resize(image, [4, 5]) / 255.0)
        return [repr(each.element_spec) for each in (read, read.map(tf.io.decode_png), decoded, sized, sized.batch(2))]

    assert specs(whygrad) == specs(real_tf)


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint16, np.int32])
@pytest.mark.parametrize("size", [(8, 6), (4, 5), (40, 31), (16, 17), (1, 1)])
def test_whole_numbers_are_resized_to_tensorflows_very_numbers(real_tf, dtype, size):
    pixels = _picture(3, (16, 12)).astype(dtype) * dtype(3)
    found = whygrad.image.resize(whygrad.constant(pixels), size).numpy()
    np.testing.assert_array_equal(found, real_tf.image.resize(pixels, size).numpy())


def test_a_large_image_is_resized_in_blocks_to_the_same_numbers(real_tf):
    pixels = np.random.default_rng(0).integers(0, 255, (2, 700, 900, 3)).astype(np.uint8)
    for size in ((300, 310), (233, 900), (701, 40)):
        found = whygrad.image.resize(whygrad.constant(pixels), size).numpy()
        np.testing.assert_array_equal(found, real_tf.image.resize(pixels, size).numpy())


def _of_integers(tf, **features):
    train = tf.train
    values = {name: train.Feature(int64_list=train.Int64List(value=each)) for name, each in features.items()}
    return train.Example(features=train.Features(feature=values))


def _changed(message, change):
    change(message)
    return message


MESSAGES = {
    "copy": lambda tf: _changed(tf.train.Example(), lambda e: e.CopyFrom(_of_integers(tf, a=[1]))),
    "a copy apart": lambda tf: _changed(
        copy.deepcopy(_of_integers(tf, a=[1])), lambda e: e.features.feature["a"].int64_list.value.append(2)
    ),
    "merge twice": lambda tf: _changed(_of_integers(tf, a=[1]), lambda e: e.MergeFrom(_of_integers(tf, a=[2]))).features.feature[
        "a"
    ],
    "merge lists": lambda tf: _changed(tf.train.Int64List(value=[1]), lambda e: e.MergeFrom(tf.train.Int64List(value=[2]))),
    "copy into a choice": lambda tf: _changed(
        tf.train.Feature(float_list=tf.train.FloatList(value=[1.0])),
        lambda f: f.int64_list.CopyFrom(tf.train.Int64List(value=[3])),
    ),
    "clear": lambda tf: _changed(_of_integers(tf, a=[1]), lambda e: e.Clear()),
    "clear a field": lambda tf: _changed(_of_integers(tf, a=[1]), lambda e: e.ClearField("features")),
    "clear a choice": lambda tf: _changed(_of_integers(tf, a=[1]).features.feature["a"], lambda f: f.ClearField("kind")),
    "set an empty choice": lambda tf: _changed(tf.train.Feature(), lambda f: f.int64_list.SetInParent()).WhichOneof("kind"),
    "sizes": lambda tf: (_of_integers(tf, a=[1]).ByteSize(), tf.train.Example().IsInitialized()),
    "bytes in order": lambda tf: _of_integers(tf, b=[1], a=[2]).SerializeToString(deterministic=True),
    "fields": lambda tf: [(field.name, field.number) for field, _ in _of_integers(tf, a=[1]).ListFields()],
    "fields of a list": lambda tf: [list(value) for _, value in tf.train.Int64List(value=[1]).ListFields()],
    "descriptor": lambda tf: (
        tf.train.Example.DESCRIPTOR.full_name,
        [field.name for field in tf.train.Feature.DESCRIPTOR.fields],
        list(tf.train.Feature.DESCRIPTOR.oneofs_by_name),
    ),
    "changed values": lambda tf: list(
        _changed(tf.train.Int64List(value=[5, 6]).value, lambda v: (v.insert(0, 1), v.__setitem__(1, 9), v.remove(6)))
    ),
    "features of dicts": lambda tf: tf.train.Features(feature={"a": {"int64_list": {"value": [1]}}}),
    "as text": lambda tf: text_format().MessageToString(_of_integers(tf, b=[1], a=[2])),
    "in one line": lambda tf: text_format().MessageToString(_of_integers(tf, a=[1]), as_one_line=True),
    "of text": lambda tf: text_format().Parse(
        'features { feature { key: "a" value { int64_list { value: 5 } } } }', tf.train.Example()
    ),
    "as JSON": lambda tf: json_format().MessageToJson(_of_integers(tf, a=[1])),
    "as a dict": lambda tf: json_format().MessageToDict(tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x"]))),
    "of JSON": lambda tf: json_format().Parse('{"features": {"feature": {"a": {"int64List": {"value": ["5"]}}}}}', tf.train.Example()),
    "a sequence as text": lambda tf: text_format().MessageToString(
        tf.train.SequenceExample(
            feature_lists={"feature_list": {"a": {"feature": [{"int64_list": {"value": [1]}}]}}},
        )
    ),
    "unknown name in text": lambda tf: text_format().Parse("nothing: 1", tf.train.Example()),
    "assign a message": lambda tf: tf.train.Features().feature.__setitem__("a", tf.train.Feature()),
    "ask whether a choice is set": lambda tf: [
        each.HasField("kind") for each in (tf.train.Feature(), tf.train.Feature(int64_list=tf.train.Int64List()))
    ],
    "ask whether a list is set": lambda tf: tf.train.Int64List().HasField("value"),
    "clear no field": lambda tf: tf.train.Example().ClearField("nothing"),
    "merge another kind": lambda tf: tf.train.Example().MergeFrom(tf.train.Feature()),
}  # fmt: skip


JSON_EXAMPLES = [
    '{"features": {"feature": {"a": {"int64List": {"value": ["5", 6, 7.0]}}}}}',
    '{"features": {"feature": {"a": {"float_list": {"value": [1, 2.5, "NaN", "-Infinity", "3"]}}}}}',
    '{"features": {"feature": {"a": {"bytesList": {"value": ["aGk=", "aGk", "-_8="]}}}}}',
    '{"features": {"feature": {}}}',
    '{"features": null}',
    "{}",
    "[]",
    "{bad",
    '{"nothing": 1}',
    '{"features": {"feature": {"a": {"int64List": {"value": ["x"]}}}}}',
    '{"features": {"feature": {"a": {"int64List": {"value": [1.5]}}}}}',
    '{"features": {"feature": {"a": {"int64List": {"value": 1}}}}}',
    '{"features": {"feature": {"a": {"bytesList": {"value": [1]}}}}}',
    '{"features": {"feature": []}}',
]


@pytest.mark.parametrize("text", JSON_EXAMPLES)
def test_examples_as_json(real_tf, text):
    def outcome(tf):
        try:
            return repr(whygrad.train.Example.FromString(tf.io.decode_json_example(text).numpy()))
        except Exception as error:
            return type(error).__name__

    assert outcome(whygrad) == outcome(real_tf)


def test_several_examples_as_json(real_tf):
    def outcome(tf):
        found = tf.io.decode_json_example([["{}"], [JSON_EXAMPLES[0]]])
        return found.shape, [repr(whygrad.train.Example.FromString(each)) for each in found.numpy().reshape(-1)]

    assert outcome(whygrad) == outcome(real_tf)


def test_the_printed_form_of_features(real_tf):
    def shown(tf):
        return [
            repr(tf.io.RaggedFeature(tf.int64)),
            repr(tf.io.RaggedFeature(tf.string, "x", row_splits_dtype=tf.int64)),
        ]

    assert shown(whygrad) == shown(real_tf)


def text_format():
    return importlib.import_module("google.protobuf.text_format")


def json_format():
    return importlib.import_module("google.protobuf.json_format")


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(real_tf, name):
    def outcome(tf):
        try:
            return repr(MESSAGES[name](tf))
        except Exception as error:
            return type(error).__name__

    assert outcome(whygrad) == outcome(real_tf)
