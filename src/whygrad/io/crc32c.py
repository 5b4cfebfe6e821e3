"""CRC-32C (Castagnoli), and TensorFlow's masked form of it.

Short data goes byte by byte through a table. Long data is cut into lanes that NumPy advances together, eight bytes at a time; the checksums
of the lanes are then put together, each shifted by the bytes that follow it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_POLYNOMIAL = 0x82F63B78  # reflected
_LANE = 256  # bytes
_SHORT = 4096  # bytes: below, the loop in Python is quicker
_MASK_DELTA = 0xA282EAD8
_ALL = 0xFFFFFFFF


def _table() -> list[int]:
    made = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
        made.append(byte)
    return made


_TABLE = _table()


def crc32c(data: bytes | bytearray | memoryview) -> int:
    """The CRC-32C of some bytes.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    if len(data) < _SHORT:
        return _advanced(_ALL, data) ^ _ALL
    lanes = len(data) // _LANE
    body = np.frombuffer(data, np.uint8, lanes * _LANE)
    rest = memoryview(data)[lanes * _LANE :]
    return _advanced(_joined(_lane_sums(body.reshape(lanes, _LANE))), rest) ^ _ALL


def masked_crc32c(data: bytes | bytearray | memoryview) -> int:
    """The checksum as records hold it: rotated, and with a constant added."""
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ALL


def _advanced(crc: int, data: bytes | bytearray | memoryview) -> int:
    table = _TABLE
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc


@functools.cache
def _tables() -> Array:
    """What each of eight bytes contributes after the bytes behind it."""
    made = np.empty((8, 256), np.uint32)
    made[0] = _TABLE
    for i in range(1, 8):
        made[i] = made[0][made[i - 1] & 255] ^ made[i - 1] >> 8
    return made


def _lane_sums(lanes: Array) -> Array:
    """The checksum of each lane, the first one begun with ones and the others with zeros."""
    tables = _tables()
    crc = np.zeros(len(lanes), np.uint32)
    crc[0] = _ALL
    words = np.ascontiguousarray(lanes).view("<u4")
    for i in range(0, words.shape[1], 2):
        low = words[:, i] ^ crc
        high = words[:, i + 1]
        crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24]
        crc ^= tables[3][high & 255] ^ tables[2][high >> 8 & 255] ^ tables[1][high >> 16 & 255] ^ tables[0][high >> 24]
    return crc


@functools.cache
def _shift(doublings: int) -> Array:
    """Tables that shift a checksum by `_LANE * 2**doublings` zero bytes, for each of its four bytes."""
    if doublings:
        half = _shift(doublings - 1)
        return np.stack([_shifted(half[i], half) for i in range(4)])
    values = (np.arange(256, dtype=np.uint32)[np.newaxis] << (8 * np.arange(4, dtype=np.uint32))[:, np.newaxis]).astype(
        np.uint32
    )
    table = _tables()[0]
    for _ in range(_LANE):
        values = table[values & 255] ^ values >> 8
    return values


def _shifted(crc: Array, by: Array) -> Array:
    made: Array = by[0][crc & 255] ^ by[1][crc >> 8 & 255] ^ by[2][crc >> 16 & 255] ^ by[3][crc >> 24]
    return made


def _joined(sums: Array) -> int:
    """The checksum of all lanes, pair by pair. Lanes are added in front where their number is odd: zeros contribute nothing."""
    doublings = 0
    while len(sums) > 1:
        if len(sums) % 2:
            sums = np.concatenate([np.zeros(1, np.uint32), sums])
        sums = _shifted(sums[0::2], _shift(doublings)) ^ sums[1::2]
        doublings += 1
    return int(sums[0])
