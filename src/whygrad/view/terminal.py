"""A cause as a code frame: the sentence, the lines with their carets and notes, the help."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass
from itertools import groupby, takewhile

from whygrad.view.cells import PLAIN_WIDTH, Look, cells, drawable, laid_out, wrapped
from whygrad.view.notebook_cells import cell_name
from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site

DISTANT = 20  # an ellipsis separates lines that are further apart than this
MOST_LINES = 12  # of a cause, where leaving out places between the first and the last can do it
_MOST_LINES = 4  # of one expression; longer ones show their beginning and their end
_ROOM = 40  # cells that a note beside its carets should have before it moves below them

BOLD, DIM, RED, GREEN, CYAN = "1", "2", "1;31", "1;32", "1;36"


def render(
    cause: Cause, *, width: int = PLAIN_WIDTH, colour: bool = False, ascii: bool = False, here: str | None = None
) -> str:
    """A cause as text, without a newline at its end.

    `here` is the file that the reader knows: sites in other files are shown under the name of their file. Without it, a cause
    with all its sites in one file is shown without file names.

    >>> from whygrad.why.cause import Cause
    >>> cause = Cause("log-of-zero", "nonfinite", "log of 0 is -inf", (), help="add a small number inside")
    >>> print(render(cause))
    log of 0 is -inf
      help: add a small number inside
    """
    look = Look(width, colour, ascii)
    # The causing place and, last, the call that asked matter most; those between are left out where there is no room.
    order = [cause.sites[0], *cause.sites[:0:-1]] if cause.sites else []
    for count in range(len(order), -1, -1):
        sites = tuple(site for site in cause.sites if any(site is each for each in order[:count]))
        lines = _drawn(cause, sites, look, here)
        if len(lines) <= MOST_LINES or count <= 1:
            break
    return "\n".join(lines)


def _drawn(cause: Cause, sites: tuple[Site, ...], look: Look, here: str | None) -> list[str]:
    """The lines of a cause with some of its sites."""
    width, ascii = look.width, look.ascii
    files = list(dict.fromkeys(site.file for site in sites))  # each once, in order of appearance
    known = here if here is not None else files[0] if len(files) == 1 else None
    sentence = drawable_lines(("likely: " if cause.likely else "") + cause.sentence, ascii)
    lines = [paint(line, BOLD, look) for line in wrapped(sentence, width, rest="  ")]
    causing = sites[:1]
    number_width = max((len(str(site.end_line)) for site in sites), default=1)
    for file in files:
        lines += _file(file, [s for s in sites if s.file == file], causing, number_width, look, named=file != known)
        known = file
    if cause.help:
        help_lines = wrapped(drawable_lines(cause.help, ascii), width, "  help: ", "        ")
        if help_lines:
            help_lines[0] = "  " + paint("help:", GREEN, look) + help_lines[0][len("  help:") :]
        lines += help_lines
    return lines


def paint(text: str, code: str, look: Look) -> str:
    """A text in a colour, if the look has colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if look.colour and text else text


def drawable_lines(text: str, ascii: bool) -> str:
    """`drawable`, line by line."""
    return "\n".join(drawable(line, ascii) for line in text.split("\n"))


def shown_path(file: str) -> str:
    """The path of a file: relative to the working directory for files below it; `In [2]` for a cell of a notebook."""
    cell = cell_name(file)
    if cell is not None or file.startswith("<"):
        return cell or file
    try:
        relative = os.path.relpath(file)
    except (ValueError, OSError):  # another drive; a working directory that is gone
        return file
    return file if relative.startswith(os.pardir) else relative


# -- the lines of one file --


@dataclass(frozen=True)
class _Mark:
    """The columns of a line to underline, in characters, and their label."""

    start: int
    end: int
    label: str
    causing: bool
    goes_on: bool = False  # the expression continues in the next line


@dataclass(frozen=True)
class _Row:
    line: int
    text: str
    mark: _Mark


def _file(
    file: str, sites: list[Site], causing: tuple[Site, ...], number_width: int, look: Look, named: bool
) -> list[str]:
    rows: list[_Row] = []
    bare: list[Site] = []
    for site in sites:
        found = _rows(site, site in causing)
        rows += found
        if not found:
            bare.append(site)
    rows.sort(key=lambda row: (row.line, row.mark.start, row.mark.end))
    rows = _dedented(rows)
    lines = ["  in " + drawable(shown_path(file), look.ascii)] if named and rows else []
    previous: _Mark | None = None
    previous_line = 0
    ellipsis = "..." if look.ascii else "…"
    for (line, text), group in groupby(rows, key=lambda row: (row.line, row.text)):
        marks = _merged([row.mark for row in group])
        gap = line - previous_line
        if previous is not None and (gap > DISTANT or (previous.goes_on and gap > 1)):
            lines.append(paint("  " + ellipsis.rjust(number_width), DIM, look))
        lines += _line(str(line).rjust(number_width), text, marks, look)
        previous, previous_line = marks[-1], line
    for site in bare:
        place = drawable(f"  {shown_path(site.file)}:{site.line}  ", look.ascii)
        lines += [line.rstrip() for line in wrapped(drawable(_label(site), look.ascii), look.width, place, "    ")]
    return lines


def _rows(site: Site, causing: bool) -> list[_Row]:
    """The lines of source that a site spans; none where there is no source."""
    label = _label(site)
    lines = [line.rstrip("\r\n") for line in linecache.getlines(site.file)[site.line - 1 : site.end_line]]
    if site.line < 1 or len(lines) != site.end_line - site.line + 1:
        lines = []
    if lines and site.column == site.end_column == 0 and site.line == site.end_line:  # Python knows only the line
        if lines[0].strip() == site.text.strip():
            return [_Row(site.line, lines[0], _Mark(*_ink(lines[0], 0, len(lines[0])), label, causing))]
    elif lines and _spanned(lines, site) == site.text:
        last = len(lines) - 1
        rows = []
        for i, line in enumerate(lines):
            start, end = _ink(line, site.column if i == 0 else 0, site.end_column if i == last else len(line))
            mark = _Mark(start, end, label if i == last else "", causing, goes_on=i != last)
            rows.append(_Row(site.line + i, line, mark))
        return rows if len(rows) <= _MOST_LINES else rows[: _MOST_LINES - 2] + rows[-1:]
    if site.text:  # the file is gone or has changed: show the text that ran
        return [_Row(site.line, site.text, _Mark(0, len(site.text), label, causing))]
    return []


def _spanned(lines: list[str], site: Site) -> str:
    """The text between a site's columns, in one line, as `Site.text` has it."""
    if len(lines) == 1:
        return lines[0][site.column : site.end_column]
    middle = [line.strip() for line in lines[1:-1]]
    return " ".join([lines[0][site.column :].strip(), *middle, lines[-1][: site.end_column].strip()])


def _ink(line: str, start: int, end: int) -> tuple[int, int]:
    """The columns of the part without the spaces around it."""
    part = line[start:end]
    stripped = part.strip()
    if not stripped:
        return start, start
    first = start + part.index(stripped)
    return first, first + len(stripped)


def _label(site: Site) -> str:
    return " ".join(": ".join(part for part in (site.role, site.note) if part).splitlines())


def _dedented(rows: list[_Row]) -> list[_Row]:
    """The rows without the indentation that all lines share, which leaves room for the labels."""
    indents = [row.text[: len(row.text) - len(row.text.lstrip())] for row in rows if row.text.strip()]
    common = sum(1 for _ in takewhile(lambda chars: len(set(chars)) == 1, zip(*indents)))
    shifted = []
    for row in rows:
        mark = row.mark
        start, end = max(mark.start - common, 0), max(mark.end - common, 0)
        shifted.append(
            _Row(row.line, row.text[common:], _Mark(start, end, mark.label, mark.causing, goes_on=mark.goes_on))
        )
    return shifted


def _merged(marks: list[_Mark]) -> list[_Mark]:
    """Merge the marks of the same columns into one, with all labels."""
    merged: dict[tuple[int, int], _Mark] = {}
    for mark in marks:
        known = merged.get((mark.start, mark.end))
        if known is not None:
            labels = dict.fromkeys(label for label in (known.label, mark.label) if label)
            causing, goes_on = known.causing or mark.causing, known.goes_on or mark.goes_on
            mark = _Mark(mark.start, mark.end, "; ".join(labels), causing, goes_on)
        merged[mark.start, mark.end] = mark
    return list(merged.values())


# -- one line and its labels --


def _line(number: str, text: str, marks: list[_Mark], look: Look) -> list[str]:
    bar = "|" if look.ascii else "│"
    numbered = f"  {number} {bar} "
    below = f"  {' ' * len(number)} {bar} "
    room = max(look.width - len(numbered), 1)
    pieces, offsets = laid_out(text.rstrip(), look.ascii)
    end_of_text = len(pieces)
    lines: list[str] = []
    for group in _in_one_window(marks, offsets, room, look):
        spans = [(min(mark.start, end_of_text), min(mark.end, end_of_text)) for mark in group]
        view = _window(pieces, offsets, min(s for s, _ in spans), max(e for _, e in spans), room, look)
        lines.append((paint(numbered, DIM, look) + view.text).rstrip())
        for (start, end), mark in zip(spans, group):
            if start == end and not mark.label:
                continue  # an empty line within an expression
            code = RED if mark.causing else CYAN
            first, last = view.cell(start), max(view.cell(end), view.cell(start) + 1)
            for row in _carets_with_label(first, last, drawable(mark.label, look.ascii), room):
                indent = len(row) - len(row.lstrip())
                lines.append(paint(below, DIM, look) + row[:indent] + paint(row[indent:], code, look))
    return lines


def _carets_with_label(start: int, end: int, label: str, room: int) -> list[str]:
    """Carets from one cell to another, and the label beside them, or below where there is no room."""
    carets = " " * start + "^" * (end - start)
    if not label:
        return [carets]
    beside = carets + "  "
    if len(beside) + cells(label) <= room:
        return [beside + label]
    if room - len(beside) >= _ROOM:
        return wrapped(label, room, beside, " " * len(beside))
    indent = " " * max(0, min(start, room - min(cells(label), _ROOM)))
    return [carets, *wrapped(label, room, indent, indent)]


@dataclass(frozen=True)
class _View:
    """The part of a line that is shown."""

    text: str
    offsets: list[int]
    first: int
    last: int
    shift: int  # cells of the ellipsis before it

    def cell(self, column: int) -> int:
        """The cell at which a character is drawn, the nearest shown one where it is cut off."""
        inside = min(max(column, self.first), self.last)
        return self.shift + self.offsets[inside] - self.offsets[self.first]


def _window(pieces: list[str], offsets: list[int], start: int, end: int, room: int, look: Look) -> _View:
    """As much of a line as fits, with the characters from `start` to `end`, or their beginning, in view."""
    ellipsis = "..." if look.ascii else "…"
    mark = len(ellipsis)
    if offsets[-1] <= room:
        return _View("".join(pieces), offsets, 0, len(pieces), 0)
    if offsets[end] <= room - mark:
        first, before = 0, ""
    else:
        # Show as much as possible before the mark, but never cut off the beginning of the mark.
        leftmost = min(offsets[end] - (room - 2 * mark), offsets[start])
        first, before = next(i for i, offset in enumerate(offsets) if offset >= leftmost), ellipsis
    inner = room - len(before)
    if offsets[-1] - offsets[first] <= inner:
        last, after = len(pieces), ""
    else:
        fitting = [i for i in range(first, len(offsets)) if offsets[i] - offsets[first] <= inner - mark]
        last, after = max(fitting, default=first), ellipsis
    return _View(before + "".join(pieces[first:last]) + after, offsets, first, last, len(before))


def _in_one_window(marks: list[_Mark], offsets: list[int], room: int, look: Look) -> list[list[_Mark]]:
    """Group the marks that fit into one window; a long line is shown once for each group."""
    inner = room if offsets[-1] <= room else room - 2 * (3 if look.ascii else 1)
    groups: list[list[_Mark]] = []
    last = len(offsets) - 1
    for mark in marks:
        if groups:
            together = [*groups[-1], mark]
            start = min(offsets[min(m.start, last)] for m in together)
            end = max(offsets[min(m.end, last)] for m in together)
            if end - start <= inner:
                groups[-1].append(mark)
                continue
        groups.append([mark])
    return groups
