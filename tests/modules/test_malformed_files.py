"""Malformed checkpoints, generated: each is refused by a class of `tf.errors` with a sentence, or restored to what was saved."""

import contextlib
import json
import pathlib
import random

import numpy as np
import pytest

import whygrad as tf

SAVED = {"a": [1.0, 2.0, 3.0], "flags": [True, False], "z": [1 + 2j]}


def _checkpoint():
    values = (tf.Variable(tf.zeros(3)), tf.Variable([False, False]), tf.Variable([0j], dtype=tf.complex128))
    return tf.train.Checkpoint(a=values[0], more=[values[1], {"z": values[2]}]), values


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The bytes of a checkpoint, and its header and data."""
    checkpoint, values = _checkpoint()
    for variable, value in zip(values, SAVED.values()):
        variable.assign(value)
    raw = pathlib.Path(checkpoint.write(tmp_path_factory.mktemp("good") / "ckpt") + ".safetensors").read_bytes()
    length = int.from_bytes(raw[:8], "little")
    return raw, json.loads(raw[8 : 8 + length]), raw[8 + length :]


def _file(header, data):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


def _outcome(raw, path):
    """Restore the bytes and use all other ways of reading: "refused" with a sentence of ours, or "restored"."""
    path.with_suffix(".safetensors").write_bytes(raw)
    checkpoint, values = _checkpoint()
    before = [value.numpy().tolist() for value in values]
    try:
        checkpoint.read(path).assert_existing_objects_matched()
    except tf.errors.DataLossError as error:
        message = str(error)
        assert "is not a whole safetensors file: " in message
        assert message.endswith(".")
        assert len(message) < 600
        assert [value.numpy().tolist() for value in values] == before
        with contextlib.suppress(tf.errors.DataLossError):  # a flaw of the graph does not concern it
            _read_everything(path)
        return "refused"
    assert [value.numpy().tolist() for value in values] == list(SAVED.values())
    return "restored"


def _read_everything(path):
    reader = tf.train.load_checkpoint(path)
    for name in reader.get_variable_to_shape_map():
        reader.get_tensor(name)


WRONG = [None, True, -1, 1.5, float("nan"), float("inf"), 10**400, "text", [], {}, [[]], [None], [1.0], [True], ["3"], [-3],
         [float("inf")], [float("nan")], [10**30], [2**63, 0], [3] * 70, {"a": 1}]  # fmt: skip


@pytest.mark.parametrize("field", ["dtype", "shape", "data_offsets"])
@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("has_checksums", [True, False])
def test_a_wrong_value_in_a_field_is_refused(field, wrong, has_checksums, good, tmp_path):
    _, header, data = good
    changed = json.loads(json.dumps(header))
    if not has_checksums:
        del changed["__metadata__"]["checksums"]
    changed["a"][field] = wrong
    assert _outcome(_file(changed, data), tmp_path / "bad") == "refused"


@pytest.mark.parametrize("field", ["dtype", "shape", "data_offsets"])
def test_a_missing_field_is_refused(field, good, tmp_path):
    _, header, data = good
    changed = json.loads(json.dumps(header))
    del changed["a"][field]
    assert _outcome(_file(changed, data), tmp_path / "bad") == "refused"


@pytest.mark.parametrize("wrong", WRONG, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("place", ["header", "array", "metadata", "graph value", "node", "links", "link", "value"])
def test_a_wrong_value_in_a_structure_is_refused(place, wrong, good, tmp_path):
    _, header, data = good
    changed = json.loads(json.dumps(header))
    metadata = changed["__metadata__"]
    del metadata["checksums"]
    graph = json.loads(metadata["graph"])
    if place == "header":
        changed = wrong
    elif place == "array":
        changed["a"] = wrong
    elif place == "metadata":
        changed["__metadata__"] = wrong
    elif place == "graph value":
        graph = wrong
    elif place == "node":
        graph[0] = wrong
    elif place == "links":
        graph[0][0] = wrong
    elif place == "link":
        graph[0][0]["a"] = wrong
    else:
        graph[1][1] = wrong
    if isinstance(changed, dict) and metadata is changed.get("__metadata__"):
        metadata["graph"] = json.dumps(graph)
    path = tmp_path / "bad"
    if (place, wrong) in [("metadata", {}), ("links", {}), ("links", {"a": 1}), ("value", None)]:
        # Legal, but not what the program has.
        expected = "not bound to checkpointed values|expected dtype double complex|incompatible tensor"
        with pytest.raises((AssertionError, ValueError, tf.errors.InvalidArgumentError), match=expected):
            _outcome(_file(changed, data), path)
    else:
        assert _outcome(_file(changed, data), path) == "refused"


@pytest.mark.parametrize("key", ["graph", "complex128", "checksums"])
@pytest.mark.parametrize(
    "text",
    [
        "", "nonsense", "null", "5", "1e999", "NaN", "[NaN]", "[-Infinity]", '"a"', "[", "{", "[1]", "[[]]", '["missing"]', '["a"]', "{}",
        '{"arrays": {}}', '{"arrays": null, "header": null}', '[[{"a": 0, "a": 1}, null]]', '[[{"a": 99}, null]]',
        '[[{"a": -1}, null]]', '[[{"a": 1.0}, null]]', "[" * 100_000, '{"a":' * 100_000, "[" * 500 + "]" * 500,
    ],
    ids=lambda text: text[:20],
)  # fmt: skip
def test_wrong_metadata_is_refused(key, text, good, tmp_path):
    _, header, data = good
    changed = json.loads(json.dumps(header))
    if key != "checksums":
        del changed["__metadata__"]["checksums"]
    changed["__metadata__"][key] = text
    assert _outcome(_file(changed, data), tmp_path / "bad") == "refused"


A = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}


@pytest.mark.parametrize(
    ("header", "data"),
    [
        (b"", b""),
        (b"\xff\xfe{}", b""),
        (b'{"\xc3": 1}', b""),
        ("{}".encode("utf-16"), b""),
        (b"[" * 1_000_000, b""),
        (b'{"a":' * 1_000_000, b""),
        (b'{"a": ' + b"[" * 5_000 + b"]" * 5_000 + b"}", b""),
        (b'{"a": ' + b"9" * 10_000 + b"}", b""),
        (b'{"a": NaN}', b""),
        (b'{"a": {"dtype": "F32", "shape": [1e999], "data_offsets": [0, 4]}}', b"1234"),
        (b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "shape": [1]}}', b"1234"),
        (b'{"a": {}, "a": {}}', b""),
        ({"a": {**A, "data_offsets": [0.0, 4.0]}}, b"1234"),
        ({"a": {**A, "data_offsets": [4, 0]}}, b"1234"),
        ({"a": {**A, "data_offsets": [0, 4, 8]}}, b"1234"),
        ({"a": {**A, "data_offsets": [-4, 0]}}, b"1234"),
        ({"a": {**A, "shape": [2**61], "data_offsets": [0, 2**63]}}, b"1234"),
        ({"a": {**A, "shape": [0, 2**62], "data_offsets": [0, 0]}}, b""),
        ({"a": {**A, "shape": [1] * 65}}, b"1234"),
        ({"a": A, "b": A}, b"1234"),
        ({"a": A, "b": {**A, "data_offsets": [2, 6]}}, b"123456"),
        ({"a": A, "b": {**A, "data_offsets": [8, 12]}}, b"123456789012"),
        ({"a": A}, b"12345"),
        ({"a": {"dtype": "BOOL", "shape": [2], "data_offsets": [0, 2]}}, b"\1\2"),
        ({"__metadata__": {"graph": '[[{"a":1},null],[{},"a"]]', "checksums": '{"header":"00000000","arrays":{"a":"0"}}'}, "a": A}, b"1234"),
    ],
    ids=range(25),
)  # fmt: skip
def test_a_malformed_file_is_refused(header, data, tmp_path):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(_file(header, data))
    with pytest.raises(tf.errors.DataLossError, match="is not a whole safetensors file: ") as caught:
        _read_everything(path)
    assert len(str(caught.value)) < 600


def test_every_truncation_is_refused(good, tmp_path):
    raw, _, _ = good
    for size in range(len(raw)):
        assert _outcome(raw[:size], tmp_path / "bad") == "refused", size


def test_every_flipped_bit_is_refused_or_changes_nothing(good, tmp_path):
    """Some bits change nothing that is restored, such as one in the name of the checksums."""
    raw, _, _ = good
    restored = 0
    for place in range(len(raw)):
        for bit in range(8) if place >= len(raw) - 32 else random.Random(place).sample(range(8), 2):
            flipped = bytearray(raw)
            flipped[place] ^= 1 << bit
            restored += _outcome(bytes(flipped), tmp_path / "bad") == "restored"
    assert restored < 40  # the name of the checksums has 9 letters, the JSON of the checksums has names of its own


def test_random_damage_is_refused_or_changes_nothing(good, tmp_path):
    raw, _, _ = good
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(raw)
        start = int(rng.integers(len(raw)))
        for place in range(start, min(len(raw), start + int(rng.integers(1, 50)))):
            damaged[place] = int(rng.integers(256))
        _outcome(bytes(damaged), tmp_path / "bad")


def test_files_without_checksums_are_read(good, tmp_path):
    _, header, data = good
    changed = json.loads(json.dumps(header))
    del changed["__metadata__"]["checksums"]
    assert _outcome(_file(changed, data), tmp_path / "old") == "restored"


def test_a_flipped_bit_is_named(good, tmp_path):
    raw, _, _ = good
    flipped = bytearray(raw)
    flipped[-1] ^= 1
    (tmp_path / "bad.safetensors").write_bytes(bytes(flipped))
    with pytest.raises(tf.errors.DataLossError, match=r"the bytes of \S+ are not those that were saved \(checksum"):
        _checkpoint()[0].read(tmp_path / "bad")
