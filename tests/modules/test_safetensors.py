"""Files of arrays: the format byte for byte, every dtype, files that are not whole, writes that are interrupted."""

import errno
import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import load_file

import whygrad as tf
from whygrad.modules import safetensors


def _file(path, header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    pathlib.Path(path).write_bytes(len(text).to_bytes(8, "little") + text + data)
    return str(path)


CHECKSUMS = '{"header":"1e0608cc","arrays":{"x":"abcedafb","y":"9722f221"}}'


def test_the_format_byte_for_byte(tmp_path):
    path = tmp_path / "a.safetensors"
    safetensors.write(str(path), {"x": np.array([1, 2], np.int16), "y": np.array(0.5, np.float32)}, {"k": "v"})
    raw = path.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    assert length % 8 == 0
    assert json.loads(raw[8 : 8 + length]) == {
        "__metadata__": {"k": "v", "checksums": CHECKSUMS},
        "y": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
        "x": {"dtype": "I16", "shape": [2], "data_offsets": [4, 8]},
    }
    assert raw[8 + length :] == np.float32(0.5).tobytes() + np.array([1, 2], np.int16).tobytes()


def test_a_file_of_another_program_is_read(tmp_path):
    data = np.arange(6, dtype=np.float32).tobytes() + np.array([True, False]).tobytes()
    header = {
        "model/w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "flags": {"dtype": "BOOL", "shape": [2], "data_offsets": [24, 26]},
    }
    path = _file(tmp_path / "theirs.safetensors", header, data)
    w, flags = tf.Variable(tf.zeros((2, 3))), tf.Variable([False, False])
    tf.train.Checkpoint(model={"w": w}, flags=flags).read(path).assert_consumed()
    assert w.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]
    assert flags.numpy().tolist() == [True, False]


@pytest.mark.parametrize(
    "dtype",
    [
        "float16", "float32", "float64", ml_dtypes.bfloat16, "complex64", "complex128", "bool", "int8", "int16", "int32", "int64",
        "uint8", "uint16", "uint32", "uint64",
    ],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_every_dtype_comes_back(dtype, shape, tmp_path):
    array = np.arange(1, 1 + int(np.prod(shape))).reshape(shape).astype(dtype)
    if array.dtype.kind == "c":
        array = (array * (1 - 2j)).astype(dtype)
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, {"x": array, "first": np.ones(3, np.int8)}, {})
    back = safetensors.Reader(path).read("x")
    assert (back.dtype, back.shape) == (array.dtype, array.shape)
    assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_an_array_in_any_order_of_memory_is_written(dtype, tmp_path):
    whole = np.arange(24).reshape(4, 6).astype(dtype)
    arrays = {"turned": whole.T, "stepped": whole[::2, ::-3], "fortran": np.asfortranarray(whole)}
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, arrays, {})
    for name, array in zip(arrays, safetensors.Reader(path).read_all(arrays)):
        np.testing.assert_array_equal(array, arrays[name])


def test_a_file_is_what_the_library_reads(tmp_path):
    arrays = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.ones(3, ml_dtypes.bfloat16)}
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, arrays, {"format": "whygrad"})
    found = load_file(path)
    assert {name: array.tolist() for name, array in found.items()} == {n: a.tolist() for n, a in arrays.items()}


def test_complex128_is_stored_as_pairs(tmp_path):
    """A file as it has always been written."""
    header = {
        "__metadata__": {"format": "whygrad", "complex128": '["z"]'},
        "z": {"dtype": "F64", "shape": [2, 2], "data_offsets": [0, 32]},
    }
    path = _file(tmp_path / "old.safetensors", header, np.array([1 + 2j, 3 - 4j]).tobytes())
    reader = safetensors.Reader(path)
    assert reader.entries["z"] == (tf.complex128, (2,))
    assert reader.read("z").tolist() == [1 + 2j, 3 - 4j]


def test_a_file_has_the_permissions_of_any_new_file(tmp_path):
    path = tmp_path / "a.safetensors"
    safetensors.write(str(path), {"x": np.ones(3)}, {})
    (tmp_path / "plain").write_bytes(b"")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_file_that_changes_after_it_was_opened_is_refused(tmp_path):
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, {"x": np.ones(1000)}, {})
    with safetensors.Reader(path) as reader:
        pass
    os.truncate(path, 2000)
    with pytest.raises(tf.errors.DataLossError, match="it has 2000 bytes where its header describes"):
        reader.read("x")
    safetensors.write(path, {"x": np.ones(7, np.float32)}, {})
    with pytest.raises(tf.errors.DataLossError, match="x has changed since the file was opened"):
        reader.read("x")


def test_strings_are_refused_by_name(tmp_path):
    with pytest.raises(tf.errors.UnimplementedError, match="words is of type string"):
        tf.train.Checkpoint(words=tf.Variable(["a", "b"])).write(tmp_path / "a")
    assert os.listdir(tmp_path) == []


FLOATS = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("header", "data", "reason"),
    [
        (b"", b"", "its header cannot be read"),
        (b"not json", b"", "its header cannot be read"),
        (b"[1, 2]", b"", "its header cannot be read"),
        (b'{"a": {}, "a": {}}', b"", "a name occurs twice"),
        ({"x": FLOATS}, b"1234", "it has"),
        ({"x": FLOATS}, b"123456789", "it has"),
        ({"x": {**FLOATS, "shape": [3]}}, b"12345678", "which are no float32 of shape"),
        ({"x": {**FLOATS, "shape": [-2]}}, b"12345678", "has the shape [-2], which is not a list of sizes"),
        ({"x": {**FLOATS, "dtype": "F7"}}, b"12345678", "its header cannot be read"),
        ({"x": {**FLOATS, "data_offsets": [4, 12]}}, b"123456789012", "overlap or leave gaps"),
        ({"x": FLOATS, "y": FLOATS}, b"1234567890123456", "overlap or leave gaps"),
    ],
)
def test_an_incomplete_file_is_refused(header, data, reason, tmp_path):
    path = _file(tmp_path / "bad.safetensors", header, data)
    with pytest.raises(tf.errors.DataLossError, match="is not a whole safetensors file") as caught:
        safetensors.Reader(path)
    assert reason in str(caught.value)


@pytest.mark.parametrize("size", [0, 5, 8, 20, 100])
def test_a_file_cut_off_anywhere_is_refused(size, tmp_path):
    path = tmp_path / "a.safetensors"
    safetensors.write(str(path), {"x": np.ones(50)}, {})
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(tf.errors.DataLossError, match="is not a whole safetensors file"):
        safetensors.Reader(str(path))


def test_a_header_with_a_huge_length_is_refused(tmp_path):
    path = tmp_path / "huge.safetensors"
    path.write_bytes((2**62).to_bytes(8, "little") + b"{}")
    with pytest.raises(tf.errors.DataLossError, match="ends before its header"):
        safetensors.Reader(str(path))


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(failing, tmp_path, monkeypatch):
    path = tmp_path / "a.safetensors"
    safetensors.write(str(path), {"x": np.ones(3)}, {})
    before = path.read_bytes()

    def fail(*args):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(OSError, match="the disk is full"):
        safetensors.write(str(path), {"x": np.zeros(3)}, {})
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["a.safetensors"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_a_process_killed_while_it_writes_leaves_the_old_file_whole(tmp_path):
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, {"x": np.ones(3)}, {})
    program = textwrap.dedent(
        """
        import os, signal, sys
        import numpy as np
        from whygrad.modules import safetensors
        def killed(descriptor):  # when all has been written, but not yet moved
            os.kill(os.getpid(), signal.SIGKILL)
        os.fsync = killed
        safetensors.write(sys.argv[1], {"x": np.zeros(100000)}, {})
        """
    )
    done = subprocess.run([sys.executable, "-c", program, path], check=False)
    assert done.returncode == -signal.SIGKILL
    assert safetensors.Reader(path).read("x").tolist() == [1.0, 1.0, 1.0]


def test_header_and_arrays_are_of_one_file(tmp_path):
    path = str(tmp_path / "a.safetensors")
    safetensors.write(path, {"x": np.ones(3), "y": np.ones(3)}, {})
    with safetensors.Reader(path) as reader:
        safetensors.write(path, {"x": np.zeros(3), "y": np.zeros(3)}, {})
        assert [array.tolist() for array in reader.read_all(["x", "y"])] == [[1.0] * 3] * 2
    with pytest.raises(tf.errors.DataLossError, match="x has changed since the file was opened"):
        reader.read("x")
    os.unlink(path)
    with pytest.raises(tf.errors.NotFoundError, match="cannot read"):
        reader.read("x")


@pytest.mark.skipif(sys.platform == "win32", reason="a file that is open cannot be replaced there")
def test_restore_reads_whole_checkpoints_while_another_process_replaces_them(tmp_path):
    path = str(tmp_path / "ckpt")
    program = textwrap.dedent(
        """
        import sys, whygrad as tf
        a, b = tf.Variable(tf.zeros(1000)), tf.Variable(tf.zeros(1000))
        checkpoint = tf.train.Checkpoint(a=a, b=b)
        while True:
            a.assign_add(tf.ones(1000)); b.assign_add(tf.ones(1000))
            checkpoint.write(sys.argv[1])
        """
    )
    a, b = tf.Variable(tf.zeros(1000)), tf.Variable(tf.zeros(1000))
    checkpoint = tf.train.Checkpoint(a=a, b=b)
    checkpoint.write(path)
    with subprocess.Popen([sys.executable, "-c", program, path]) as writer:
        seen = set()
        try:
            for _ in range(10_000):
                checkpoint.read(path).assert_consumed()
                assert len({*a.numpy().tolist(), *b.numpy().tolist()}) == 1
                seen.add(float(a.numpy()[0]))
                if len(seen) > 30:
                    break
        finally:
            writer.kill()
    assert len(seen) > 30


def test_the_disk_being_full_is_an_error_of_tensorflows_and_loses_nothing(tmp_path):
    """The limit on the size of files acts as a full disk does: in the middle of writing."""
    resource = pytest.importorskip("resource")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(tf.ones(100_000)))
    path = checkpoint.save(tmp_path / "ckpt")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(
            tf.errors.ResourceExhaustedError, match=r"cannot write .*ckpt-2\.safetensors: File too large"
        ):
            checkpoint.save(tmp_path / "ckpt")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-1.safetensors"]
    assert tf.train.latest_checkpoint(tmp_path) == path
    checkpoint.restore(path).assert_consumed()
    assert checkpoint.save(tmp_path / "ckpt") == str(tmp_path / "ckpt-2")


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, tf.errors.ResourceExhaustedError),
        (errno.EDQUOT, tf.errors.ResourceExhaustedError),
        (errno.EACCES, tf.errors.PermissionDeniedError),
        (errno.EROFS, tf.errors.PermissionDeniedError),
    ],
)
@pytest.mark.parametrize("failing", ["mkdir", "fsync", "replace"])
def test_an_error_of_the_file_system_has_tensorflows_class(number, kind, failing, tmp_path, monkeypatch):
    def fail(*args):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(kind, match="The file that was there before is unchanged"):
        safetensors.write(str(tmp_path / "a.safetensors"), {"x": np.zeros(3)}, {})
    assert os.listdir(tmp_path) == []


def test_a_folder_in_the_place_of_the_file(tmp_path):
    (tmp_path / "ckpt.safetensors" / "inside").mkdir(parents=True)
    with pytest.raises(tf.errors.FailedPreconditionError, match="cannot write"):
        tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "ckpt")
