"""Regular expressions of RE2, which TensorFlow uses, computed by Python's `re`.

The two differ in details. `translated` rewrites a pattern: classes such as `\\d` and `\\b` are those of ASCII, `$` is the end of the
text, names such as `[[:alpha:]]`, `\\pL`, `\\p{Greek}`, `\\z` and `\\Q...\\E` get Python's form, and what RE2 does not have
(references to groups, looking ahead and behind) is refused.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

from whygrad._public import export
from whygrad.ops.arguments import flag
from whygrad.strings.arguments import Array, as_strings, as_text, compute, each, on_flat_values, string_op
from whygrad.strings.scripts import code_points_of
from whygrad.values.errors import invalid
from whygrad.values.tensor import Tensor

_CLASSES = {"d": "0-9", "s": "\\t\\n\\f\\r ", "w": "0-9A-Za-z_"}
_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t ", "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~", "punct": "!-/:-@\\[-`{-~",
    "space": "\\t\\n\\x0b\\f\\r ", "upper": "A-Z", "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_BOUNDARY = "(?:(?<![0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?![0-9A-Za-z_]))"
_NO_BOUNDARY = "(?:(?<![0-9A-Za-z_])(?![0-9A-Za-z_])|(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_]))"


class _Refused(ValueError):
    """A pattern that RE2 refuses."""


@functools.lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """Python's form of a pattern of RE2; raises InvalidArgumentError for one that RE2 refuses."""
    try:
        return re.compile(_Translation(pattern).text())
    except (_Refused, re.error, OverflowError, RecursionError) as error:
        raise invalid(f"Invalid pattern: {pattern}, error: {error}") from None


class _Translation:
    """The walk over a pattern, from left to right."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.multiline = [False]  # for each open group, whether `$` ends a line
        self.ungreedy = [False]  # and whether a repetition matches as little as it can
        self.opened = [0]  # for each open group, how many groups `(?flags)` opened in it

    def text(self) -> str:
        parts: list[str] = []
        while self.at < len(self.pattern):
            parts.append(self._next())
        if len(self.opened) > 1:
            raise _Refused(f"missing ): {self.pattern}")
        return "".join(parts) + ")" * self.opened[0]

    def _take(self, count: int = 1) -> str:
        taken = self.pattern[self.at : self.at + count]
        self.at += count
        return taken

    def _next(self) -> str:
        sign = self._take()
        if sign == "\\":
            return self._escape()
        if sign == "[":
            return self._set()
        if sign == "(":
            return self._group()
        if sign == ")":
            if len(self.opened) == 1:
                raise _Refused(f"unexpected ): {self.pattern}")
            self.multiline.pop()
            self.ungreedy.pop()
            return ")" * (self.opened.pop() + 1)
        if sign == "$":
            return "(?=\\n|\\Z)" if self.multiline[-1] else "\\Z"
        if sign == "^":
            return "(?:(?<=\\n)|\\A)" if self.multiline[-1] else "\\A"
        if sign in "*+?" or (sign == "{" and re.match(r"\d+(,\d*)?\}", self.pattern[self.at :])):
            return self._repetition(sign)
        return re.escape(sign) if sign in "{}]" else sign

    def _repetition(self, sign: str) -> str:
        if sign == "{":
            sign += self._take(self.pattern.index("}", self.at) - self.at + 1)
            if any(int(number) > 1000 for number in re.findall(r"\d+", sign)):
                raise _Refused(f"invalid repetition size: {sign}")
        little = self.pattern[self.at : self.at + 1] == "?"
        self.at += little
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?"):
            raise _Refused(f"bad repetition operator: {sign}{self.pattern[self.at]}")
        return sign + ("?" if little != self.ungreedy[-1] else "")

    def _group(self) -> str:
        rest = self.pattern[self.at :]
        if not rest.startswith("?"):
            self._open()
            return "("
        if named := re.match(r"\?P?<(\w+)>", rest):
            self._take(named.end())
            self._open()
            return f"(?P<{named[1]}>"
        if flags := re.match(r"\?([imsU]*)(?:-([imsU]+))?([:)])", rest):
            self._take(flags.end())
            on, off = flags[1], flags[2] or ""
            if flags[3] == ":":
                self._open()
            else:
                self.opened[-1] += 1
            self.multiline[-1] = (self.multiline[-1] or "m" in on) and "m" not in off
            self.ungreedy[-1] = (self.ungreedy[-1] or "U" in on) and "U" not in off
            kept, dropped = [re.sub("[mU]", "", each) for each in (on, off)]  # the others are Python's too
            return f"(?{kept}{'-' + dropped if dropped else ''}:"
        raise _Refused(f"invalid perl operator: ({rest[:3]}")

    def _open(self) -> None:
        self.opened.append(0)
        self.multiline.append(self.multiline[-1])
        self.ungreedy.append(self.ungreedy[-1])

    def _escape(self) -> str:
        if self.at == len(self.pattern):
            raise _Refused("trailing \\")
        letter = self.pattern[self.at]
        if letter == "Q":
            end = self.pattern.find("\\E", self.at)
            quoted = self.pattern[self.at + 1 : end if end >= 0 else None]
            self.at = len(self.pattern) if end < 0 else end + 2
            return re.escape(quoted)
        if letter == "C":
            raise _Refused("\\C, a single byte, is not supported: characters are matched whole")
        plain = {"A": "\\A", "z": "\\Z", "b": _BOUNDARY, "B": _NO_BOUNDARY}
        if letter in plain:
            self._take()
            return plain[letter]
        members, negated = self._class()
        if members is not None:
            return f"[{'^' if negated else ''}{members}]"
        return self._character()

    def _class(self) -> tuple[str | None, bool]:
        """The members of a class such as `\\d`, `\\S` or `\\pN` that begins here, and whether they are those left out."""
        letter = self.pattern[self.at]
        if letter.lower() in _CLASSES:
            self._take()
            return _CLASSES[letter.lower()], letter.isupper()
        if letter in "pP":
            found = re.match(r"[pP](?:\{(\^?)(\w+)\}|(\w))", self.pattern[self.at :])
            if found is None:
                raise _Refused(f"invalid character class range: \\{letter}")
            self._take(found.end())
            return _property(found[2] or found[3]), (letter == "P") != bool(found[1])
        return None, False

    def _character(self) -> str:
        """An escaped character."""
        letter = self._take()
        if letter == "x":
            found = re.match(r"\{([0-9A-Fa-f]{1,6})\}|([0-9A-Fa-f]{2})", self.pattern[self.at :])
            if found is None:
                raise _Refused("invalid escape sequence: \\x")
            self._take(found.end())
            return re.escape(chr(int(found[1] or found[2], 16)))
        if letter in "01234567":
            digits = re.match(r"[0-7]{1,2}", self.pattern[self.at :]) if letter == "0" else None
            if letter != "0":
                found = re.match(r"[0-7]{2}", self.pattern[self.at :])
                if found is None:
                    raise _Refused(f"invalid escape sequence: \\{letter}")
                digits = found
            text = letter + (digits[0] if digits else "")
            self._take(len(text) - 1)
            return re.escape(chr(int(text, 8)))
        if letter in "afnrtv":
            return "\\" + letter
        if letter.isalnum():
            raise _Refused(f"invalid escape sequence: \\{letter}")
        return re.escape(letter)

    def _set(self) -> str:
        """A set in brackets."""
        start = self.at
        parts = ["[^"] if self.pattern[self.at : self.at + 1] == "^" else ["["]
        self.at += len(parts[0]) - 1
        first = True
        while True:
            sign = self._take()
            if not sign:
                raise _Refused(f"missing ]: [{self.pattern[start:]}")
            if sign == "]" and not first:
                return "".join(parts) + "]"
            first = False
            if sign == "[" and (named := re.match(r":(\^?)(\w+):\]", self.pattern[self.at :])):
                if named[2] not in _POSIX:
                    raise _Refused(f"invalid character class range: [{named[0]}")
                self._take(named.end())
                parts.append(_others(_POSIX[named[2]]) if named[1] else _POSIX[named[2]])
            elif sign == "\\" and self.at < len(self.pattern):
                members, negated = self._class()
                parts.append(self._character() if members is None else _others(members) if negated else members)
            else:
                parts.append("-" if sign == "-" else re.escape(sign))


def _ranges(belongs: Callable[[str], bool]) -> str:
    """The members of a set in brackets: all characters that belong."""
    parts: list[str] = []
    first: int | None = None
    for code in range(sys.maxunicode + 2):
        inside = code <= sys.maxunicode and belongs(chr(code))
        if inside and first is None:
            first = code
        elif not inside and first is not None:
            parts.append(f"\\U{first:08x}-\\U{code - 1:08x}")
            first = None
    return "".join(parts)


@functools.lru_cache(maxsize=32)
def _others(members: str) -> str:
    """All characters but these, as members of a set."""
    found = re.compile(f"[{members}]")
    return _ranges(lambda character: found.match(character) is None)


@functools.lru_cache(maxsize=32)
def _property(name: str) -> str:
    """The characters of a general category or a script, as members of a set."""
    if name == "Any":
        return "\\U00000000-\\U0010ffff"
    if len(name) <= 2:
        members = _ranges(lambda character: unicodedata.category(character).startswith(name))
    else:
        members = "".join([f"\\U{first:08x}-\\U{last:08x}" for first, last in code_points_of(name)])
    if not members:
        raise _Refused(f"invalid character class range: \\p{{{name}}}")
    return members


# -- the ops --


def _text(string: bytes) -> str:
    return string.decode("utf-8", "surrogateescape")


def _replace_forward(xp: Any, x: Array, *, pattern: str, rewrite: str, replace_global: bool) -> Array:
    found = compiled(pattern)
    pieces = _rewriting(rewrite, found.groups)
    if pieces is None:
        return x

    def replaced(string: bytes) -> bytes:
        text = _text(string)
        parts: list[str] = []
        at, last = 0, -1
        while at <= len(text) and (match := found.search(text, at)) is not None:
            parts.append(text[at : match.start()])
            if match.start() == match.end() == last:  # no empty match at the end of the last one
                parts.append(text[match.end() : match.end() + 1])
                at = match.end() + 1
                continue
            parts += [piece if isinstance(piece, str) else match[piece] or "" for piece in pieces]
            at = last = match.end()
            if not replace_global:
                break
        return "".join([*parts, text[at:]]).encode("utf-8", "surrogateescape") if parts else string

    return each(replaced, x)


def _rewriting(rewrite: str, groups: int) -> list[str | int] | None:
    r"""The parts of a rewrite: text, and the numbers of groups (`\1`), up to an escape that is none.

    None for one that names a group which the pattern lacks: it changes nothing.
    """
    pieces: list[str | int] = []
    for part in re.findall(r"\\.?|[^\\]+", rewrite, re.DOTALL):
        if not part.startswith("\\"):
            pieces.append(part)
        elif part == "\\\\":
            pieces.append("\\")
        elif not part[1:].isdigit():
            break
        elif int(part[1:]) > groups:
            return None
        else:
            pieces.append(int(part[1:]))
    return pieces


_replace = string_op("regex_replace", _replace_forward, "RegexReplace", is_shaped=True)
_full_match = string_op(
    "regex_full_match",
    lambda xp, x, *, pattern: each(lambda s: compiled(pattern).fullmatch(_text(s)) is not None, x, bool),
    "RegexFullMatch",
    is_shaped=True,
)


@export("strings.regex_replace")
@on_flat_values
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    r"""Replace what a pattern matches by `rewrite`, in which `\1` is what the first group matched; patterns are RE2's.

    >>> import whygrad as tf
    >>> tf.strings.regex_replace("Text with tags.<br /><b>contains html</b>", "<[^>]+>", " ").numpy()
    b'Text with tags.  contains html '
    """
    strings = as_strings(input, "RegexReplace")
    return compute(  # type: ignore[no-any-return]
        _replace,
        strings,
        pattern=_checked(as_text(pattern, "pattern")),
        rewrite=as_text(rewrite, "rewrite"),
        replace_global=flag(replace_global, "replace_global"),
    )


@export("strings.regex_full_match")
@on_flat_values
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether a pattern matches each whole string; patterns are RE2's.

    >>> import whygrad as tf
    >>> tf.strings.regex_full_match(["TF lib", "lib TF"], ".*lib$").numpy()
    array([ True, False])
    """
    return compute(_full_match, as_strings(input, "RegexFullMatch"), pattern=_checked(as_text(pattern, "pattern")))  # type: ignore[no-any-return]


def _checked(pattern: str) -> str:
    compiled(pattern)
    return pattern
