"""`tf.audio`: WAV files of 16 bits a sample, as floats between -1 and 1."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.compile.at_each_call import computed, computed_parts
from whygrad.io.files import string_tensor
from whygrad.ops.arguments import integer
from whygrad.values import dtypes
from whygrad.values.conversion import convert
from whygrad.values.errors import invalid
from whygrad.values.faults import DtypesDiffer
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, value_of, wrap

_SCALE = 1 << 15  # what a sample of 1.0 would be
_SKIPPED = (b"JUNK", b"bext", b"iXML", b"qlty", b"mext", b"levl", b"link", b"axml")  # chunks before the format
_LARGEST = 2**31 - 1


class DecodeWav(NamedTuple):
    """What `decode_wav` gives."""

    audio: Tensor
    sample_rate: Tensor


@export("audio.decode_wav")
def decode_wav(contents: Any, desired_channels: Any = -1, desired_samples: Any = -1, name: str | None = None) -> Any:
    """Decode a WAV file of 16-bit PCM: a float32 tensor of samples and channels between -1 and 1, and the sample rate.

    `desired_channels` leaves the last channels out, or repeats the last one; `desired_samples` cuts the end off, or adds zeros.

    >>> import whygrad as tf
    >>> wav = tf.audio.encode_wav([[0.5], [-0.25]], sample_rate=8000)
    >>> audio, rate = tf.audio.decode_wav(wav)
    >>> audio.numpy().tolist(), int(rate)
    ([[0.5], [-0.25]], 8000)
    """
    channels = integer(desired_channels, "desired_channels", "DecodeWav")
    samples = integer(desired_samples, "desired_samples", "DecodeWav")
    for value, parameter in ((channels, "desired_channels"), (samples, "desired_samples")):
        if value < -1:
            raise invalid(f"{parameter} must be >= -1, got {value} [Op:DecodeWav]")

    def decode(given: Tensor) -> list[Tensor]:
        data = value_of(given)
        if data.shape:
            raise invalid(f"contents must be scalar, got shape {list(data.shape)} [Op:DecodeWav]")
        audio, rate = _samples(_Reader(data.item()))
        audio = _sized(audio, channels, samples)
        return [wrap(audio.astype(np.float32) / np.float32(_SCALE)), wrap(np.array(rate, np.int32))]

    shape = (None if samples < 0 else samples, None if channels < 0 else channels)
    described = [TensorSpec(shape, dtypes.float32), TensorSpec((), dtypes.int32)]
    return DecodeWav(*computed_parts("tf.audio.decode_wav", decode, [contents], dtypes.string, described))


@export("audio.encode_wav")
def encode_wav(audio: Any, sample_rate: Any, name: str | None = None) -> Tensor:
    """Encode samples and channels as a WAV file of 16-bit PCM. Values below -1 and above 1 are clipped.

    >>> import whygrad as tf
    >>> tf.audio.encode_wav([[0.0], [1.0]], sample_rate=44100).numpy()[-4:]
    b'\\x00\\x00\\xff\\x7f'
    """
    given = [
        _as_dtype(each, dtype, position)
        for position, (each, dtype) in enumerate([(audio, dtypes.float32), (sample_rate, dtypes.int32)])
    ]

    def encode(audio: Tensor, sample_rate: Tensor) -> Tensor:
        return string_tensor(encoded(value_of(audio), value_of(sample_rate)))

    return computed("tf.audio.encode_wav", encode, given, None, TensorSpec((), dtypes.string))


def _as_dtype(value: Any, dtype: dtypes.DType, position: int) -> Tensor:
    if isinstance(value, Tensor) and value.dtype is not dtype:
        raise invalid(DtypesDiffer(wanted=dtype, dtype=value.dtype, position=position, op="EncodeWav"))
    return convert(value, dtype)


def encoded(audio: np.ndarray[Any, Any], sample_rate: np.ndarray[Any, Any]) -> bytes:
    """A WAV file of samples and channels."""
    if audio.ndim != 2:
        raise invalid(
            f"audio must be 2-dimensional: samples and channels, but it has shape {list(audio.shape)} [Op:EncodeWav]"
        )
    if sample_rate.shape:
        raise invalid(
            f"Input sample_rate should be a scalar tensor, got {list(sample_rate.shape)} instead. [Op:EncodeWav]"
        )
    rate, channels = int(sample_rate), audio.shape[1]
    if rate <= 0:
        raise invalid(f"sample_rate must be in (0, 2^32), got: {rate} [Op:EncodeWav]")
    if not 0 < channels < 1 << 16:
        raise invalid(f"num_channels must be in (0, 2^16), got: {channels} [Op:EncodeWav]")
    frame = 2 * channels
    if rate * frame >= 1 << 32 or audio.size >= 1 << 30:
        raise invalid(
            f"{audio.shape[0]} samples of {channels} channels at {rate} Hz cannot be encoded as a WAV file, whose sizes have 32 bits "
            "[Op:EncodeWav]"
        )
    scaled = audio.astype(np.float64) * _SCALE
    away = np.copysign(np.floor(np.abs(scaled) + 0.5), scaled)  # halves are rounded away from zero, as C does
    data = np.clip(np.nan_to_num(away, nan=0.0), -_SCALE, _SCALE - 1).astype("<i2").tobytes()
    form = struct.pack("<IHHIIHH", 16, 1, channels, rate, rate * frame, frame, 16)
    return b"".join([
        b"RIFF", struct.pack("<I", 36 + len(data)), b"WAVEfmt ", form, b"data", struct.pack("<I", len(data)), data,
    ])  # fmt: skip


class _Reader:
    """Bytes that are read from the beginning to the end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    @property
    def is_at_end(self) -> bool:
        return self.at >= len(self.data)

    def skip(self, size: int) -> bytes:
        """The next bytes."""
        end = self.at + size
        if end > len(self.data):
            raise invalid(
                f"Data too short when trying to read string: byte {self.at} to {end} of a WAV file that has "
                f"{len(self.data)} bytes [Op:DecodeWav]"
            )
        found = self.data[self.at : end]
        self.at = end
        return found

    def number(self, size: int) -> int:
        """The next bytes as a number."""
        return int.from_bytes(self.skip(size), "little")

    def expect(self, text: bytes) -> None:
        """Read a word that must be there."""
        found = self.skip(len(text))
        if found != text:
            raise invalid(f"Header mismatch: Expected {text.decode()} but found {_shown(found)} [Op:DecodeWav]")


def _samples(file: _Reader) -> tuple[np.ndarray[Any, Any], int]:
    """The samples and channels of a WAV file as 16-bit numbers, and its sample rate."""
    file.expect(b"RIFF")
    file.skip(4)  # the size, which recorders that were interrupted leave wrong
    file.expect(b"WAVE")
    while (chunk := file.skip(4)) != b"fmt ":
        if chunk not in _SKIPPED:
            raise invalid(f"Unexpected field {_shown(chunk)} [Op:DecodeWav]")
        file.skip(file.number(4))
    channels, rate = _format(file)
    audio = None
    while not file.is_at_end:
        chunk, size = file.skip(4), file.number(4)
        if size > _LARGEST:
            raise invalid(
                f"WAV data chunk '{_shown(chunk)}' is too large: {size} bytes, but the limit is {_LARGEST} [Op:DecodeWav]"
            )
        if chunk != b"data":
            file.at += size
            continue
        if audio is not None:
            raise invalid("More than one data chunk found in WAV [Op:DecodeWav]")
        count = size // (2 * channels)
        audio = np.frombuffer(file.skip(2 * channels * count), "<i2").reshape(count, channels)
    if audio is None:
        raise invalid("No data chunk found in WAV [Op:DecodeWav]")
    return audio, rate


def _format(file: _Reader) -> tuple[int, int]:
    """The number of channels and the sample rate, from the chunk that describes the format."""
    size = file.number(4)
    if size not in (16, 18):
        raise invalid(f"Bad format chunk size for WAV: Expected 16 or 18, but got {size} [Op:DecodeWav]")
    kind, channels, rate, second, frame, bits = struct.unpack("<HHIIHH", file.skip(16))
    if kind != 1:
        raise invalid(f"Bad audio format for WAV: Expected 1 (PCM), but got {kind} [Op:DecodeWav]")
    if not channels:
        raise invalid("Bad number of channels for WAV: Expected at least 1, but got 0 [Op:DecodeWav]")
    if bits != 16:
        raise invalid(f"Can only read 16-bit WAV files, but received {bits} [Op:DecodeWav]")
    if frame != 2 * channels:
        raise invalid(f"Bad bytes per sample in WAV header: Expected {2 * channels} but got {frame} [Op:DecodeWav]")
    if second != frame * rate:
        raise invalid(
            f"Bad bytes per second in WAV header: Expected {frame * rate} but got {second} (sample_rate={rate}, "
            f"bytes_per_sample={frame}) [Op:DecodeWav]"
        )
    if size == 18:
        file.at += 2
    return channels, rate


def _sized(audio: np.ndarray[Any, Any], channels: int, samples: int) -> np.ndarray[Any, Any]:
    """The audio with as many samples and channels as asked for; -1 for those it has."""
    if channels >= 0:
        audio = audio[:, np.minimum(np.arange(channels), audio.shape[1] - 1)]
    if samples >= 0:
        audio = np.pad(audio[:samples], ((0, max(0, samples - len(audio))), (0, 0)))
    return audio


def _shown(chunk: bytes) -> str:
    return chunk.decode("ascii", "backslashreplace")
