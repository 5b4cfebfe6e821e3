"""The report on a program: the findings, the most serious first, and the number of ops that were checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from whygrad.view.cells import Look, wrapped
from whygrad.view.terminal import BOLD, DIM, GREEN, paint, render
from whygrad.why.cause import Cause

if TYPE_CHECKING:
    from whygrad.why.evidence.trace import Trace

MOST = 10  # findings shown; more would push the first, the most serious, off the screen


def report(
    findings: Sequence[Cause],
    counts: Mapping[str, int],
    look: Look,
    *,
    here: str | None = None,
    failed: bool = False,
    pages: Collection[str] = (),
) -> str:
    """The report on a program, without a trailing newline.

    `findings` are drawn in the given order. `here` is the program's file, `failed` says whether an exception ended it, and
    `pages` are the kinds with a page in the catalogue.

    >>> print(report([], {"tapes": 1, "gradients": 2, "ops": 1234}, Look()))
    whygrad: no gradient problems found (checked 1 tape, 2 gradients, 1,234 ops)
    """
    checked = f"(checked {counted(counts)})"
    if not findings:
        when = " before the exception" if failed else ""
        return "\n".join(_painted(f"whygrad: no gradient problems found{when}", checked, GREEN, look))
    many = len(findings) > 1
    title = f"whygrad: {len(findings)} findings, most serious first" if many else "whygrad: 1 finding"
    lines = ["", *_painted(title, checked, BOLD, look)]  # a blank line after the output of the program
    for cause in findings[:MOST]:
        lines += ["", render(cause, width=look.width, colour=look.colour, ascii=look.ascii, here=here)]
        if cause.kind in pages:
            lines.append(paint(f"  more: whygrad explain {cause.kind}", DIM, look))
    if len(findings) > MOST:
        lines += ["", f"and {len(findings) - MOST} more: `whygrad run --json FILE` writes all of them"]
    return "\n".join(lines)


def report_of(trace: Trace) -> str:
    """The report on what was traced so far."""
    return report(trace.findings, trace.counts, Look()).lstrip("\n")


def _painted(title: str, checked: str, code: str, look: Look) -> list[str]:
    lines = wrapped(f"{title} {checked}", look.width, rest="  ")
    lines[0] = lines[0].replace(title, paint(title, code, look))
    return lines


def counted(counts: Mapping[str, int]) -> str:
    """The counts as text: `1 tape, 2 gradients, 1,234 ops`."""
    return ", ".join(
        f"{counts.get(name, 0):,} {name[:-1] if counts.get(name, 0) == 1 else name}"
        for name in ("tapes", "gradients", "ops")
    )
