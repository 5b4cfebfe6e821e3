"""Sites for tests of views, found by their text in a file that the test writes."""

import linecache
import textwrap

from whygrad.why.cause import Cause
from whygrad.why.source.sites import Site


def write(path, source):
    path.write_text(textwrap.dedent(source), encoding="utf-8")
    linecache.checkcache(str(path))
    return path


def site(path, text, role="", note="", nth=1):
    """The nth place where a text, of one line or several, stands in a file."""
    source = path.read_text(encoding="utf-8")
    at = -1
    for _ in range(nth):
        at = source.index(text, at + 1)
    end = at + len(text)
    line, end_line = source[:at].count("\n") + 1, source[:end].count("\n") + 1
    column = at - (source.rfind("\n", 0, at) + 1)
    end_column = end - (source.rfind("\n", 0, end) + 1)
    in_one_line = " ".join(part.strip() for part in text.split("\n"))
    return Site(str(path), line, column, end_line, end_column, in_one_line, role, note)


def cause(*sites, sentence="it went wrong", help="", kind="a-kind", symptom="none", likely=False):
    return Cause(kind, symptom, sentence, tuple(sites), help, {}, likely)
