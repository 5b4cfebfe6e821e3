"""A trace as one HTML file: its data as JSON, inside a document whose scripts draw it (`page.js`, with dagre for the layout)."""

from __future__ import annotations

import base64
import functools
import hashlib
import io
import json
import keyword
import math
import os
import string
import tokenize
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from whygrad.runtime.call_sites import scope_of
from whygrad.view.report import counted
from whygrad.view.terminal import shown_path
from whygrad.why.cause import Cause
from whygrad.why.evidence.failed_op import users_frame
from whygrad.why.evidence.steps import Node, Place, Step, Stop, unfinished_step
from whygrad.why.evidence.trace import Trace
from whygrad.why.source.sites import Site, lines_of, site

_MOST_LINES = 20_000  # of one file
_MOST_FILES = 30
_MOST_CHARACTERS = 600  # of an exception
_HERE = Path(__file__).parent


class Raised(NamedTuple):
    """The exception that ended a program, without its frames."""

    kind: str
    text: str
    at: Site | None


def raised(error: BaseException) -> Raised:
    """What the page shows of an exception: its text, and the user's line."""
    text = "".join(traceback.format_exception_only(error)).strip()
    frame = users_frame(error.__traceback__)
    at = None if frame is None else site(frame.tb_frame.f_code, frame.tb_lasti, "raised here")
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]} …"
    return Raised(type(error).__name__, text, at)


def page_of(
    trace: Trace,
    findings: Sequence[Cause] | None = None,
    *,
    title: str = "",
    here: str | None = None,
    exception: Raised | None = None,
    stop: Stop | None = None,
    view: str = "all",
) -> str:
    """The page of a trace, with its own findings or those given.

    `here` is the program's file, `exception` what ended it, and `stop` the op that raised that; the view "graph" leaves its text out.
    """
    steps = list(trace.steps.kept)
    found = list(trace.findings if findings is None else findings)
    if not steps or exception is not None or any(cause.symptom == "exception" for cause in found):
        last = unfinished_step(trace, stop)
        if last.nodes:
            steps.append(last)
    return document(page_data(steps, found, trace, title=title, here=here, exception=exception), view)


def page_of_step(step: Step) -> str:
    """The graph of one step alone, for a notebook."""
    return document(page_data([step], list(step.causes), None), view="graph")


def document(data: dict[str, Any], view: str = "all") -> str:
    """The HTML file that shows the data of a page.

    Scripts and styles are allowed by their hashes, so that nothing that came in with the data could run, and nothing is loaded.
    """
    css, script, dagre = (_part(name) for name in ("page.css", "page.js", "dagre.min.js"))
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hashed(css)}; script-src {_hashed(dagre)} {_hashed(script)}"
    )
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    # A script element ends at the first `</script`, whatever the JSON says, and `<!--` changes where it ends.
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return string.Template(_part("page.html")).substitute(
        view=view, policy=policy, css=css, script=script, dagre=dagre, data=text
    )


@functools.cache
def _part(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# -- the data --


def page_data(
    steps: Sequence[Step],
    findings: Sequence[Cause],
    trace: Trace | None,
    *,
    title: str = "",
    here: str | None = None,
    exception: Raised | None = None,
) -> dict[str, Any]:
    """Everything that a page shows, as plain data."""
    files = _Files(here)
    for cause in findings:
        for each in cause.sites:
            files.number(each.file)
    if exception is not None and exception.at is not None:
        files.number(exception.at.file)
    places = _Places(files, findings)
    failed = exception is not None
    step_data = [_step_data(step, places, files, failed) for step in steps]
    variables = [] if trace is None else [_series_data(series, places) for series in trace.gradient_series]
    step_of = [next((i for i, step in enumerate(steps) if cause in step.causes), None) for cause in findings]
    shown = 0
    if findings and steps:
        unfinished = next((i for i, step in enumerate(steps) if step.place is None), None)
        first = unfinished if findings[0].symptom == "exception" else step_of[0]
        shown = first if first is not None else next((i for i in step_of if i is not None), 0)
    counts = "" if trace is None else f"checked {counted(trace.counts)}"
    return {
        "title": title or (os.path.basename(shown_path(here)) if here else "whygrad"),
        "counts": counts,
        "healthy": f"no gradient problems found{' before the exception' if failed else ''}",
        "findings": [_finding_data(cause, files, step) for cause, step in zip(findings, step_of)],
        "exception": None if exception is None else _exception_data(exception, findings, files),
        "files": files.as_data(),
        "places": places.known,
        "steps": step_data,
        "shown": shown,
        "variables": variables,
    }


class _Files:
    """The files that are shown, by number: the program's own first."""

    def __init__(self, here: str | None) -> None:
        self._numbers: dict[str, int] = {}
        if here is not None and lines_of(here):
            self.number(here)

    def number(self, file: str) -> int:
        return self._numbers.setdefault(file, len(self._numbers))

    def lines(self, file: str) -> list[str]:
        return [line.rstrip("\r\n") for line in lines_of(file)[:_MOST_LINES]]

    def as_data(self) -> list[dict[str, Any]]:
        shown = []
        for file, number in self._numbers.items():
            lines = self.lines(file) if number < _MOST_FILES else []
            shown.append({"name": shown_path(file), "lines": lines, "tokens": _tokens(lines)})
        return shown


class _Places:
    """The places of ops, by number, each with the findings that are there."""

    def __init__(self, files: _Files, findings: Sequence[Cause]) -> None:
        self.known: list[dict[str, Any]] = []
        self._files = files
        self._numbers: dict[Place, int] = {}
        self._findings: dict[Any, list[list[Any]]] = {}
        for number, cause in enumerate(findings):
            for index, each in enumerate(cause.sites):
                self._findings.setdefault(_extent(each), []).append([number, index == _causing_op(cause)])

    def number(self, place: Place) -> int:
        known = self._numbers.get(place)
        if known is None:
            at, scope = site(*place), scope_of(place[0])
            lines = self._files.lines(at.file) if at.line else []
            text = lines[at.line - 1].strip() if 0 < at.line <= len(lines) else at.text
            name = place[0].co_qualname.replace(".<locals>", "")
            in_module = name == "<module>" or name.startswith("<cell line")
            function = f"in {os.path.basename(shown_path(at.file))}" if in_module else name
            made = None
            if scope is not None and scope.what:
                function, text = scope.what, scope.what
                if scope.made is not None:
                    constructor = site(*scope.made)
                    made = [self._files.number(constructor.file), constructor.line]
            self.known.append(
                {
                    "file": self._files.number(at.file),
                    "line": at.line,
                    "text": at.text if scope is None else "",
                    "lineText": text,
                    "function": function,
                    "isScope": scope is not None and bool(scope.what),
                    "made": made,
                    "findings": self._findings.get(_extent(at), []),
                }
            )
            known = self._numbers[place] = len(self.known) - 1
        return known


def _extent(at: Site) -> tuple[Any, ...]:
    """What ops of one place share. All layers compute at the line that calls `fit`, so the layer is a part of it."""
    scope = at.scope if at.scope is not None and at.scope.what else None
    return at.file, at.line, at.column, at.end_line, at.end_column, scope


def _causing_op(cause: Cause) -> int:
    """The number of the site whose ops cause the finding. Before the ops of a layer stands the line that made the layer."""
    inner = cause.sites[1].scope if len(cause.sites) > 1 else None
    return int(inner is not None and bool(inner.what) and cause.sites[0].note == inner.what)


def _finding_data(cause: Cause, files: _Files, step: int | None) -> dict[str, Any]:
    return {
        "kind": cause.kind,
        "symptom": _SYMPTOMS[cause.symptom],
        "sentence": cause.sentence,
        "help": cause.help,
        "likely": cause.likely,
        "step": step,
        "sites": [_site_data(each, files) for each in cause.sites],
    }


# In a word or two, for the list of findings.
_SYMPTOMS = {
    "exception": "exception",
    "nonfinite": "inf or nan",
    "none": "None",
    "empty": "empty",
    "zero": "zero",
    "wrong_value": "wrong value",
    "slow": "slow",
}


def _exception_data(exception: Raised, findings: Sequence[Cause], files: _Files) -> dict[str, Any]:
    at = exception.at
    return {
        "kind": exception.kind,
        "text": exception.text,
        "explained": any(cause.symptom == "exception" for cause in findings),  # a finding says more than its text
        "site": None if at is None or at.line < 1 else _site_data(at, files),
    }


def _site_data(at: Site, files: _Files) -> dict[str, Any]:
    return {
        "file": files.number(at.file),
        "line": at.line,
        "column": at.column,
        "endLine": at.end_line,
        "endColumn": at.end_column,
        "role": at.role,
        "note": at.note,
    }


def _step_data(step: Step, places: _Places, files: _Files, failed: bool) -> dict[str, Any]:
    if step.place is None:
        title = "ops up to the exception" if failed else "ops after the last gradient"
    else:
        at = site(*step.place)
        title = f"line {at.line}: {at.text or 'gradient'}"
        if step.number:
            title += f", call {step.number}"
    if step.left_out:
        title += f" (without the first {step.left_out:,} ops)"
    return {"title": title, "nodes": [_node_data(node, places) for node in step.nodes]}


def _node_data(node: Node, places: _Places) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "name": node.name,
        "at": None if node.place is None else places.number(node.place),
        "shape": node.shape,
        "norm": _figure(node.norm),
        "gradient": _figure(node.gradient),
        "links": [[link.origin, link.shape, _figure(link.gradient)] for link in node.links],
        "marks": [list(mark) for mark in node.marks],
        "leads": node.leads_to_target,
    }


def _series_data(series: Any, places: _Places) -> dict[str, Any]:
    asked = places.known[places.number(series.place)]
    return {
        "name": series.name,
        "shape": series.shape,
        "file": asked["file"],
        "line": asked["line"],
        "steps": series.steps,
        "points": [
            [point.step, _figure(point.norm), _figure(point.zeros), _figure(point.bad)] for point in series.points
        ],
    }


def _figure(value: float | None) -> float | str | None:
    """A number with the digits that are shown; JSON has neither inf nor nan."""
    if value is None:
        return None
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf"
    return float(f"{value:.5g}")


def _tokens(lines: Iterable[str]) -> dict[int, list[list[Any]]]:
    """Keywords, strings, comments and numbers of each line, `{line: [[start, end, class], ...]}`; empty for a text that is not Python."""
    found: dict[int, list[list[Any]]] = {}
    text = list(lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(text) + "\n").readline):
            kind = _kind(token)
            for line in range(token.start[0], token.end[0] + 1) if kind else ():
                start = token.start[1] if line == token.start[0] else 0
                end = token.end[1] if line == token.end[0] else len(text[line - 1])
                found.setdefault(line, []).append([start, end, kind])
    except (tokenize.TokenError, SyntaxError, IndexError):
        pass  # what was read until there is coloured
    return found


def _kind(token: tokenize.TokenInfo) -> str:
    name = tokenize.tok_name[token.type]
    if token.type == tokenize.NAME:
        return "k" if keyword.iskeyword(token.string) else ""
    return {"COMMENT": "c", "NUMBER": "n", "STRING": "s"}.get(name, "s" if name.startswith("FSTRING") else "")
