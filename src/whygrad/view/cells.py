"""Text in the cells of a terminal: its width, its drawable characters, cutting and wrapping."""

from __future__ import annotations

import contextlib
import os
import re
import unicodedata
from dataclasses import dataclass
from typing import IO

TAB = 4  # cells between the stops of a tab
NARROWEST = 40  # a frame in fewer columns would be unreadable
PLAIN_WIDTH = 120  # columns for a file or a pipe

_SPELLINGS = str.maketrans(
    {"│": "|", "…": "...", "×": "x", "–": "-", "—": "-", "→": "->", "‘": "'", "’": "'", "“": '"', "”": '"'}
)


@dataclass(frozen=True)
class Look:
    """The columns of a stream, and whether it shows colour or only ASCII."""

    width: int = PLAIN_WIDTH
    colour: bool = False
    ascii: bool = False


def look_of(stream: IO[str]) -> Look:
    """The look of a stream: colour only on a terminal without `NO_COLOR`, ASCII where the encoding requires it."""
    ascii = is_ascii(getattr(stream, "encoding", None) or "ascii")
    return Look(max(_width(stream), NARROWEST), _has_colour(stream), ascii)


def _width(stream: IO[str]) -> int:
    """The columns of this stream; rich would query any standard stream that is a terminal."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal():
        return int(columns)
    if is_terminal(stream):
        with contextlib.suppress(OSError, ValueError):
            return os.get_terminal_size(stream.fileno()).columns or PLAIN_WIDTH
    return PLAIN_WIDTH


def _has_colour(stream: IO[str]) -> bool:
    if not is_terminal(stream):
        return False
    from rich.console import Console  # it takes 20 ms, which a report for a file or a pipe does not need

    console = Console(file=stream, force_terminal=True, force_jupyter=False)
    return console.color_system is not None and not console.no_color and not console.legacy_windows


def is_ascii(encoding: str) -> bool:
    """Whether an encoding lacks the characters of a code frame."""
    try:
        "│…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def is_terminal(stream: IO[str]) -> bool:
    """Whether a stream is a terminal."""
    try:
        return stream.isatty()
    except (AttributeError, ValueError):  # not a stream, or a closed one
        return False


def cells(text: str) -> int:
    """The number of cells that a text takes.

    >>> cells("naïve"), cells("梯度"), cells("e\\N{COMBINING ACUTE ACCENT}")
    (5, 4, 1)
    """
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # within 2 ms, where a text is not ASCII

    return cell_len(text)


def drawable(text: str, ascii: bool) -> str:
    """A text without characters that move the cursor or change the writing direction; in ASCII on request.

    >>> drawable("a × b…\\x1b[2J", ascii=True)
    'a x b...?[2J'
    """
    if ascii:
        text = text.translate(_SPELLINGS)
    return "".join(_drawable_char(char, ascii) for char in text)


def _drawable_char(char: str, ascii: bool) -> str:
    """One character for each character, so that columns do not move."""
    if char.isascii():
        return char if char.isprintable() else "?"
    if ascii:
        return "?"
    if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(char) in _TURNS:
        return "\N{REPLACEMENT CHARACTER}"
    return char


_TURNS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def laid_out(text: str, ascii: bool) -> tuple[list[str], list[int]]:
    """A line of source character by character, with tabs expanded, and the cell where each begins; the last is the end."""
    pieces: list[str] = []
    offsets = [0]
    for char in text:
        piece = " " * (TAB - offsets[-1] % TAB) if char == "\t" else _drawable_char(char, ascii)
        pieces.append(piece)
        offsets.append(offsets[-1] + cells(piece))
    return pieces, offsets


_WORD = re.compile(r"(?:[(\[]\d+(?:, \d+)*,?[)\]]|\S)+")  # (3, 4) and [0, 1] are not broken


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> list[str]:
    """Wrap a text to lines of at most `width` cells; the first begins with `first`, the others with `rest`.

    Line breaks in the text are kept; a word longer than a line is broken, and a shape counts as a word.

    >>> wrapped("one two three", 9, "- ", "  ")
    ['- one two', '  three']
    >>> wrapped("float32 (3, 4)", 12)
    ['float32', '(3, 4)']
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = rest if lines else first
        empty = True
        indent = paragraph[: len(paragraph) - len(paragraph.lstrip())]
        for word in [indent + each if i == 0 else each for i, each in enumerate(_WORD.findall(paragraph))]:
            if not empty and cells(line) + 1 + cells(word) > width:
                lines.append(line)
                line, empty = rest, True
            piece = word if empty else " " + word
            while cells(line) + cells(piece) > width and cells(line) < width:
                head = _fitting(piece, width - cells(line))
                lines.append(line + head)
                line, piece = rest, piece[len(head) :]
            line += piece
            empty = False
        lines.append(line.rstrip() if empty else line)
    return lines


def _fitting(text: str, room: int) -> str:
    """The longest beginning of a text that fits, but at least one character, so that wrapping makes progress."""
    if text.isascii():
        return text[:room]
    from rich.cells import chop_cells

    return chop_cells(text, room)[0] or text[0]
