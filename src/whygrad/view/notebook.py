"""In a notebook: causes, answers, traces and warnings as HTML, and the extension that `%load_ext whygrad` loads."""

from __future__ import annotations

import ast
import html
import shlex
import warnings
from collections.abc import Iterable
from typing import Any

from whygrad._public import export
from whygrad.view.page.page import page_of, page_of_step
from whygrad.view.report import MOST, counted
from whygrad.view.terminal import BOLD, CYAN, DIM, GREEN, RED, render
from whygrad.view.tracebacks import chain_of, shortened
from whygrad.why.cause import Cause
from whygrad.why.causes.exceptions import causes_of
from whygrad.why.evidence.path import Answer
from whygrad.why.evidence.trace import Trace, tracing

_WIDTH = 100
_STYLES = {
    BOLD: "font-weight:600",
    DIM: "opacity:.55",
    RED: "color:#d0362c;font-weight:600",
    GREEN: "color:#2f8f57;font-weight:600",
    CYAN: "color:#3b7dc4;font-weight:600",
}
_FRAME = "font-size:13px;line-height:1.45;overflow-x:auto;margin:4px 0 12px;padding:8px 12px;border-left:3px solid {};background:transparent"


def cause_as_html(cause: Cause) -> str:
    """The frame of a cause, as a terminal shows it."""
    return _framed(_coloured(render(cause, width=_WIDTH, colour=True)), "#c58a1c" if cause.likely else "#d0362c")


def causes_as_html(causes: Iterable[Cause], more: str = "") -> str:
    """The frames of several causes."""
    below = f"<div style='opacity:.7;font-size:12px'>{html.escape(more)}</div>" if more else ""
    return "".join(map(cause_as_html, causes)) + below


def answer_as_html(answer: Answer, text: str) -> str:
    """The answer of `why()`: its causes, the path as text, and the graph."""
    parts = [causes_as_html(answer.causes)]
    if text:
        parts.append(_framed(html.escape(text), "#3b7dc4"))
    if answer.step is not None and answer.step.nodes:
        parts.append(_inline(page_of_step(answer.step)))
    return "".join(parts)


def trace_as_html(trace: Trace) -> str:
    """The findings of a trace as frames, and the graph of the step that matters."""
    number = len(trace.findings)
    title = "no gradient problems found" if not number else "1 finding" if number == 1 else f"{number} findings"
    checked = html.escape(f"(checked {counted(trace.counts)})")
    head = f"<div><b>whygrad: {title}</b> <span style='opacity:.65'>{checked}</span></div>"
    more = f"and {number - MOST} more: trace.findings has all of them" if number > MOST else ""
    frames = causes_as_html(trace.findings[:MOST], more)
    return head + frames + (_inline(page_of(trace, view="graph")) if trace.counts["ops"] else "")


def _coloured(text: str) -> str:
    """A frame for a terminal as HTML. Only our own codes stand for colours: `render` has replaced those in the program's text."""
    marked = html.escape(text).replace("\x1b[0m", "</span>")
    for code, style in _STYLES.items():
        marked = marked.replace(f"\x1b[{code}m", f"<span style='{style}'>")
    return marked


def _framed(marked: str, colour: str) -> str:
    return f"<pre style='{_FRAME.format(colour)}'>{marked}</pre>"


def _inline(page: str) -> str:
    """A page inside another document, which it cannot reach."""
    style = "width:100%;height:460px;border:1px solid rgba(128,128,128,.35);border-radius:8px"
    return f"<iframe sandbox='allow-scripts' title='graph of the ops' style='{style}' srcdoc=\"{html.escape(page)}\"></iframe>"


# -- the extension --


@export("load_ipython_extension")
def load_ipython_extension(shell: Any) -> None:
    """Give a notebook `%%why`, warnings with colours, and tracebacks without whygrad's frames: `%load_ext whygrad` calls this.

    >>> import whygrad
    >>> callable(whygrad.load_ipython_extension)
    True
    """

    def why(line: str, cell: str) -> Any:
        """Run the cell and show what is wrong with its gradients. `%%why FILE.html` also writes the page to a file."""
        return _run(shell, line, cell)

    shell.register_magic_function(why, magic_kind="cell")
    shell.set_custom_exc((Exception,), _show_error)
    if getattr(shell, "kernel", None) is None:  # a terminal, for which Python's own form is right
        return
    show = warnings.showwarning

    def show_rich(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        if file is None and hasattr(message, "_repr_html_"):
            _display({"text/plain": str(message), "text/html": message._repr_html_()}, raw=True)
        else:
            show(message, category, filename, lineno, file, line)

    warnings.showwarning = show_rich


def _show_error(
    shell: Any, kind: type[BaseException], error: BaseException, traceback: Any, tb_offset: int | None = None
) -> None:
    """Show an exception as IPython does, from the user's frames: what `run` and plain Python show of it."""
    shell.showtraceback((kind, error, shortened(error, traceback)), tb_offset=tb_offset)


def _run(shell: Any, line: str, cell: str) -> Any:
    paths = shlex.split(line)
    if len(paths) > 1 or any(path.startswith("-") for path in paths):
        raise ValueError(f"%%why takes at most the name of one HTML file, not {line!r}")
    # The line of the magic counts as a line of the cell.
    code = "\n" + shell.transform_cell(cell)
    number = len(shell.user_ns["In"]) - 1  # of the cell that is running
    name = shell.compile.cache(code, number, raw_code=code)
    tree = shell.transform_ast(shell.compile.ast_parse(code, name))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with tracing() as trace:
        try:
            exec(shell.compile(tree, name, "exec"), shell.user_ns)
            if last is None:
                return None
            return eval(shell.compile(ast.Expression(last.value), name, "eval"), shell.user_ns)
        except Exception as error:
            for each in chain_of(error):
                for cause in causes_of(each):
                    trace.found(cause)
            raise
        finally:
            if trace.at_end is not None:
                trace.at_end(trace)
            if paths:
                trace.html(paths[0])
            _display(trace)


def _display(value: Any, raw: bool = False) -> None:
    from IPython import display

    show: Any = display.display  # without annotations in IPython
    show(value, raw=raw)
