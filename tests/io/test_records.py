"""TFRecord files: what is written is read, damage is found, a killed writer leaves whole records."""

import signal
import subprocess
import sys
import textwrap

import pytest

import whygrad as tf
from whygrad.io.crc32c import _advanced, crc32c, masked_crc32c

RECORDS = [b"", b"ant", bytes(range(256)) * 100]


def _write(path, records, options=None):
    with tf.io.TFRecordWriter(str(path), options) as file:
        for record in records:
            file.write(record)


def _read(path, kind=None):
    return [record.numpy() for record in tf.data.TFRecordDataset(str(path), compression_type=kind)]


def test_checksums_of_known_values():
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert masked_crc32c(b"") == 0xA282EAD8


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 10_000, 65_536, 100_001])
def test_lanes_give_the_checksum_of_the_loop(size):
    data = bytes(i * i % 251 for i in range(size))
    assert crc32c(data) == _advanced(0xFFFFFFFF, data) ^ 0xFFFFFFFF


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_what_is_written_is_read(tmp_path, kind):
    _write(tmp_path / "records", RECORDS, tf.io.TFRecordOptions(kind))
    assert _read(tmp_path / "records", kind) == RECORDS


def test_every_cut_is_found(tmp_path):
    path = tmp_path / "records"
    _write(path, [b"first", b"second"])
    whole = path.read_bytes()
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        if end in (0, 21, len(whole)):  # between records
            assert len(_read(path)) == {0: 0, 21: 1}.get(end, 2)
        else:
            with pytest.raises(tf.errors.DataLossError, match=r"truncated record at (0|21)"):
                _read(path)


def test_every_changed_byte_is_found(tmp_path):
    path = tmp_path / "records"
    _write(path, [b"first"])
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 64]) + whole[at + 1 :])
        with pytest.raises(tf.errors.DataLossError, match="corrupted record"):
            _read(path)


def test_damaged_compression(tmp_path):
    path = tmp_path / "records"
    _write(path, RECORDS, "GZIP")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(tf.errors.DataLossError, match="truncated"):
        _read(path, "GZIP")
    path.write_bytes(b"not compressed at all")
    with pytest.raises(tf.errors.DataLossError, match="not valid GZIP"):
        _read(path, "GZIP")


def test_a_killed_writer_leaves_whole_records(tmp_path):
    path = tmp_path / "records"
    program = f"""
        import os, signal, whygrad as tf
        file = tf.io.TFRecordWriter({str(path)!r})
        for i in range(100_000):
            file.write(str(i).encode() * 20)
            if i == 5000:
                os.kill(os.getpid(), signal.SIGKILL)
    """
    ended = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert ended.returncode == -signal.SIGKILL
    found = _read(path)
    assert found == [str(i).encode() * 20 for i in range(len(found))]
    assert 1000 < len(found) <= 5001


def test_a_closed_writer_refuses(tmp_path):
    file = tf.io.TFRecordWriter(str(tmp_path / "records"))
    file.close()
    with pytest.raises(tf.errors.FailedPreconditionError, match="closed"):
        file.write(b"late")
    with pytest.raises(TypeError, match="takes bytes, not str"):
        tf.io.TFRecordWriter(str(tmp_path / "other")).write("text")
    with pytest.raises(tf.errors.NotFoundError):
        tf.io.TFRecordWriter(str(tmp_path / "none" / "records"))
