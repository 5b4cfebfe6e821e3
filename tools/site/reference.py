"""The API reference: a page for each public namespace, from the docstrings.

A namespace is filled from a table when its names are first used, and many ops are made by `unary(...)` and `binary(...)` without a
`def` of their own. So the pages come from the objects themselves, as Python has them, and not from the source: `sphinx.ext.autodoc` would
find the names too, but it reads docstrings as reStructuredText, and these are Markdown.

What has several names is documented under the shortest, and listed under the others.
"""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from types import ModuleType
from typing import Any, NamedTuple

from tools.site.pages import INNER
from whygrad._public.table import TABLE

_LEFT_OUT = ("compat.v1", "compat.v1.logging")  # names of TensorFlow 2 again, and switches
_BESIDES = ("autograd", "numpy", "scipy.linalg", "scipy.optimize", "scipy.special", "scipy.stats")  # not TensorFlow's
_EXAMPLE = re.compile(r"^>>> .*?(?=^\s*$|\Z)", re.DOTALL | re.MULTILINE)


class Namespace(NamedTuple):
    """A module with public names: its own name, as `math.special`, and the module."""

    name: str
    module: ModuleType

    @property
    def title(self) -> str:
        return f"whygrad.{self.name}" if self.name else "whygrad"

    @property
    def place(self) -> str:
        return f"api/{self.title}.md"


def namespaces() -> list[Namespace]:
    """All public namespaces, the root first."""
    found = {"": "whygrad"}
    for name, module in found.copy().items():
        _add_inner(name, module, found)
    found |= {name: f"whygrad.{name}" for name in _BESIDES}
    return [
        Namespace(name, importlib.import_module(module))
        for name, module in sorted(found.items())
        if name not in _LEFT_OUT
    ]


def _add_inner(name: str, module: str, found: dict[str, str]) -> None:
    """Add the namespaces within one. Their modules are entries of the table that name a module and nothing in it."""
    for home, entries in TABLE[module].items():
        for entry in entries.split():
            inner, _, public = entry.partition(":")
            full = f"{name}.{public}" if name else public
            if not inner and home in TABLE and home not in found.values():
                found[full] = home
                _add_inner(full, home, found)


def pages() -> dict[str, str]:
    """The pages of all namespaces, and `api/index.md`."""
    spaces = namespaces()
    homes: dict[int, str] = {}  # the full name under which each object is documented
    members = {space: _members(space.module) for space in spaces}
    for full, value in sorted(
        ((f"{space.title}.{name}", value) for space in spaces for name, value in members[space].items()),
        key=lambda each: (each[0].count("."), each[0]),
    ):
        if _has_page(value):
            homes.setdefault(id(value), full)
    with_pages = [space.module for space in spaces]
    found = {}
    for space in spaces:
        inner = [each for each in members[space].values() if isinstance(each, ModuleType) and each not in with_pages]
        found[space.place] = _page(space, members[space], homes, inner if "__all__" in vars(space.module) else [])
    found["api/index.md"] = _index(spaces)
    return found


def _members(module: ModuleType) -> dict[str, Any]:
    names = vars(module).get("__all__") or [
        name for name in dir(module) if not name.startswith("_") and name != "annotations"
    ]
    return {name: getattr(module, name) for name in sorted(names, key=str.lower)}


def _has_page(value: Any) -> bool:
    """Whether a value is a function or class, and ours."""
    ours = (getattr(value, "__module__", None) or "").startswith("whygrad")
    return (inspect.isroutine(value) or inspect.isclass(value)) and ours


def _index(spaces: list[Namespace]) -> str:
    rows = [f"| [`{space.title}`]({space.title}.md) | {_first_sentence(space.module)} |" for space in spaces]
    return "\n".join(
        [
            "# API reference",
            "",
            "The public names, by namespace, with TensorFlow's arrangement. With `import whygrad as tf`, `whygrad.math.log` is",
            "`tf.math.log`. The TensorFlow names that are missing are listed in",
            "[TensorFlow's names](../compatibility.md).",
            "",
            "| namespace | what it holds |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def _first_sentence(module: ModuleType) -> str:
    text = " ".join((inspect.getdoc(module) or "").split("\n\n")[0].split())
    return re.sub(r"^`[\w.]+`[:.]\s*", "", text).replace("|", "\\|")


def _names(module: ModuleType) -> str:
    return " ".join(f"`{name}`" for name in _members(module))


def _introduction(space: Namespace) -> str:
    """The docstring of a namespace, unless it only repeats the name."""
    text = inspect.getdoc(space.module) or ""
    return "" if re.fullmatch(r"`[\w.]+`\.", text) else _markdown(text)


def _page(space: Namespace, members: dict[str, Any], homes: dict[int, str], inner: list[ModuleType]) -> str:
    here, elsewhere, values = [], [], []
    for name, value in members.items():
        full = f"{space.title}.{name}"
        if isinstance(value, ModuleType):
            continue
        if not _has_page(value):
            values.append(name)
        elif homes[id(value)] == full:
            here.append(_entry(name, value))
        else:
            elsewhere.append(f"| `{full}` | {{py:obj}}`{homes[id(value)]}` |")
    parts = [
        f"{INNER}[← API reference](index.md)",
        "",
        f"# {space.title}",
        "",
        _introduction(space),
        "",
        f"```{{py:module}} {space.title}",
        "```",
        "",
    ]
    parts += here
    if inner:  # small modules of the same functions, such as the distributions
        rows = [
            f"| `{each.__name__.rpartition('.')[2]}` | {_first_sentence(each)} | {_names(each)} |" for each in inner
        ]
        parts += ["## Modules", "", "| module | what it holds | functions |", "|---|---|---|", *rows, ""]
    if values:
        parts += ["## Values", "", " ".join(f"`{name}`" for name in values), ""]
    if elsewhere:
        parts += [
            "## Other names",
            "",
            "Also here, and documented elsewhere:",
            "",
            "| name | is |",
            "|---|---|",
            *elsewhere,
            "",
        ]
    return "\n".join(parts)


def _entry(name: str, value: Any) -> str:
    """The paragraph of one function or class, by its name in the module of the page."""
    if inspect.isclass(value):
        inner = [_method(name, member) for name, member in _own(value).items()]
        return _directive("py:class", name + _signature(value), "\n".join([_text(value), "", *inner]), 6)
    return _directive("py:function", name + _signature(value), _text(value), 6)


def _own(kind: type) -> dict[str, Any]:
    """The public methods and properties of a class, also those of its bases here, that have a docstring."""
    found: dict[str, Any] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("whygrad"):
            found |= {name: member for name, member in vars(each).items() if not name.startswith("_")}
    return {
        name: member
        for name, member in sorted(found.items())
        if _text(_function(member)) or callable(_function(member))
    }


def _function(member: Any) -> Any:
    return member.__func__ if isinstance(member, (classmethod, staticmethod)) else member


def _method(name: str, member: Any) -> str:
    function = _function(member)
    if inspect.isroutine(function):
        return _directive("py:method", name + _signature(function), _text(function), 5)
    return _directive("py:attribute", name, _text(member) if isinstance(member, property) else "", 5)


def _directive(kind: str, head: str, body: str, ticks: int) -> str:
    fence = "`" * ticks
    return f"{fence}{{{kind}}} {head}\n\n{body.strip()}\n{fence}\n"


def _signature(value: Any) -> str:
    """The parameters with their defaults. Types are left out: the stubs have them, and here they would hide the names."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    parameters = [
        each.replace(annotation=inspect.Parameter.empty, default=_default(each.default))
        for each in found.parameters.values()
        if each.name not in ("self", "cls")
    ]
    return str(found.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


class _Written:
    """A default as users write it: `tf.float32`, not `<dtype: 'float32'>`."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _default(value: Any) -> Any:
    text = repr(value)
    if value is inspect.Parameter.empty or not text.startswith("<"):
        return value
    if named := re.match(r"<dtype: '(\w+)'>", text):
        return _Written(f"tf.{named[1]}")
    if named := re.match(r"<\w+\.\w+: (.+)>", text):  # of an enum
        return _Written(named[1])
    return _Written("...")


def _text(value: Any) -> str:
    text = getattr(value, "__doc__", None)
    return _markdown(inspect.cleandoc(text)) if isinstance(text, str) else ""


def _markdown(text: str) -> str:
    """A docstring as Markdown: examples are fenced, and what looks like HTML is not."""
    parts, end = [], 0
    for example in _EXAMPLE.finditer(text):
        parts += [_escaped(text[end : example.start()]), f"```pycon\n{textwrap.dedent(example[0]).rstrip()}\n```\n"]
        end = example.end()
    return "".join([*parts, _escaped(text[end:])])


def _escaped(prose: str) -> str:
    """Prose with `<` escaped outside of backquotes."""
    return "".join(part if i % 2 else part.replace("<", "&lt;") for i, part in enumerate(re.split(r"(`[^`]*`)", prose)))
