"""PNG images of several channels with 16 bits each: Pillow reads only 8 of them, and does not write them."""

from __future__ import annotations

import itertools
import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from whygrad.values.errors import UnimplementedError, invalid

Pixels = np.ndarray[Any, Any]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {2: 3, 4: 2, 6: 4}  # by colour type: RGB, grey with alpha, RGB with alpha
# The passes of an interlaced image: first row and column, and the steps of both.
_PASSES = ((0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2), (1, 0, 2, 1))


def is_wide(data: bytes) -> bool:
    """Whether bytes are such an image."""
    return data.startswith(_SIGNATURE) and len(data) > 28 and data[24] == 16 and data[25] in _CHANNELS


def is_grey(data: bytes) -> bool:
    """Whether such an image is grey, with alpha."""
    return data[25] == 4


def decode(data: bytes, channels: int, most: int) -> Pixels:
    """Return the pixels of such an image of at most `most` pixels, with `channels` channels, or with its own for 0."""
    width, height, _, colour, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    own = _CHANNELS[colour]
    if not 0 < width * height <= most:
        raise invalid(f"Invalid PNG data: an image of {width} by {height} pixels")
    passes = [
        (first_row, first, rows, columns)
        for first_row, first, rows, columns in (_PASSES if interlaced else ((0, 0, 1, 1),))
        if first_row < height and first < width
    ]
    pixels = np.empty((height, width, own), np.uint16)
    views = [pixels[first_row::rows, first::columns] for first_row, first, rows, columns in passes]
    size = sum(len(view) * (1 + 2 * own * view.shape[1]) for view in views)
    try:
        stream = zlib.decompressobj().decompress(b"".join(_image_data(data)), size)
    except (zlib.error, struct.error) as error:
        raise invalid(f"Invalid PNG data, size {len(data)}: {error}") from None
    if len(stream) != size:
        raise invalid(f"Invalid PNG data, size {len(data)}: its pixels end early")
    rest = memoryview(stream)
    for view in views:
        length = 2 * own * view.shape[1]
        before = bytearray(length)
        for row in view:
            before = _unfiltered(rest[0], bytearray(rest[1 : length + 1]), before, 2 * own)
            row[...] = np.frombuffer(before, ">u2").reshape(row.shape)
            rest = rest[length + 1 :]
    return _with_channels(pixels, channels or own)


def _image_data(data: bytes) -> Iterator[bytes]:
    """The compressed parts of an image."""
    at = len(_SIGNATURE)
    while True:
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            (checksum,) = struct.unpack_from(">I", data, at + 8 + length)
            if checksum != zlib.crc32(data[at + 4 : at + 8 + length]):
                raise zlib.error("the checksum of a part differs")
            yield data[at + 8 : at + 8 + length]
        elif kind == b"IEND":
            return
        at += 12 + length


def _unfiltered(kind: int, row: bytearray, above: bytearray, step: int) -> bytearray:
    """Return a row of which only the differences from its neighbours were stored; `step` bytes are one pixel."""
    if kind == 1:  # from the pixel before: a running sum of each byte of the pixels
        lanes = np.frombuffer(row, np.uint8).reshape(-1, step)
        return bytearray(np.cumsum(lanes, axis=0, dtype=np.uint8).tobytes())
    if kind == 2:
        return bytearray((np.frombuffer(row, np.uint8) + np.frombuffer(above, np.uint8)).tobytes())
    if kind == 3:
        for i, up in enumerate(above):
            left = row[i - step] if i >= step else 0
            row[i] = (row[i] + (left + up) // 2) & 255
    elif kind == 4:
        for i, up in enumerate(above):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
            row[i] = (row[i] + nearest[2]) & 255
    elif kind:
        raise invalid(f"Invalid PNG data: a row with filter {kind}")
    return row


def _with_channels(pixels: Pixels, channels: int) -> Pixels:
    own = pixels.shape[2]
    colours, alpha = np.split(pixels, [own - (own % 2 == 0)], axis=2)  # an even number of channels has alpha
    wanted = channels - (channels % 2 == 0)
    if colours.shape[2] > wanted:
        raise UnimplementedError(None, None, "colours of 16 bits a channel are not made grey: decode to tf.uint8")
    colours = np.repeat(colours, wanted // colours.shape[2], axis=2)
    if channels % 2:
        return colours
    return np.concatenate([colours, alpha if alpha.size else np.full_like(pixels[..., :1], 65535)], axis=2)


def encode(pixels: Pixels, level: int) -> bytes:
    """Return an image with these pixels, of 2 to 4 channels, compressed at a level of zlib's."""
    height, width, channels = pixels.shape
    colour = next(kind for kind, number in _CHANNELS.items() if number == channels)
    rows = np.ascontiguousarray(pixels).astype(">u2").reshape(height, -1).view(np.uint8)
    stored = np.full((height, rows.shape[1] + 1), 2, np.uint8)  # differences from the row above
    stored[:, 1:] = np.diff(rows, axis=0, prepend=np.zeros_like(rows[:1]))
    header = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(stored.tobytes(), level)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        itertools.chain.from_iterable(
            (struct.pack(">I", len(content)), name, content, struct.pack(">I", zlib.crc32(name + content)))
            for name, content in parts
        )
    )
