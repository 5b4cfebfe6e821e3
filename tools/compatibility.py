"""The text of `docs/compatibility.md`: every public name of TensorFlow, and what whygrad has in its place.

`python -m tools.public_names` writes the page, together with the other files that follow from the public names.

A name is *here*, or it *differs* in something that a program can notice, or it is *not here* and an AttributeError says what to do
instead. What differs is in `DIFFERENCES`; that a setting has no effect is read from its docstring. What a missing name says comes from
the error itself (`src/whygrad/run/missing_names.py`).
"""

from __future__ import annotations

import functools
import inspect
import pathlib
import textwrap
from typing import Any, NamedTuple

FILE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "compatibility.md"

_KERAS = "Keras 3 itself, where it is installed (keras.md)"
_RUNS_AT_ONCE = "accepted; ops run in the order of the program"
_JAX = "the devices that JAX has"
DIFFERENCES = {
    "tf.keras": _KERAS,
    "tf.initializers": _KERAS,
    "tf.losses": _KERAS,
    "tf.metrics": _KERAS,
    "tf.optimizers": _KERAS,
    "tf.control_dependencies": _RUNS_AT_ONCE,
    "tf.group": _RUNS_AT_ONCE,
    "tf.function": "compiled by XLA through JAX where JAX is installed, else run op by op (function.md)",
    "tf.GradientTape": "also explains None, inf, nan and zero gradients, and refuses upstream gradients of a wrong shape",
    "tf.device": "places values only on devices that exist: CPU, and GPU through JAX",
    "tf.config.list_physical_devices": _JAX,
    "tf.config.list_logical_devices": _JAX,
    "tf.compat.v1": "the names that TensorFlow 2 has too, and the switches of eager programs; no graphs and sessions",
    "tf.raw_ops": "the few ops that have no other public name",
    "tf.profiler.experimental.start": "takes Python's own profile, for `python -m pstats`",
    "tf.profiler.experimental.Profile": "takes Python's own profile, for `python -m pstats`",
    "tf.experimental.numpy.experimental_enable_numpy_behavior": "in the modes 'safe' and 'all', its own functions of two tensors keep NumPy's dtypes",
    "tf.data.Options": "accepted; no option changes the elements",
    "tf.autograph": "needs the package diastatic-malt: pip install 'whygrad[scripts]'",
    "tf.train.Example": "needs protobuf: pip install 'whygrad[scripts]'",
    "tf.experimental.numpy": "whygrad.numpy, which has more of NumPy's names and its newest promotion rules",
}
_NO_EFFECT = ("no effect", "Accepted and ignored", "Accepted:")

# Families that are left out on purpose, each with a name that a script asks for.
LEFT_OUT = {
    "extension types": "tf.experimental.ExtensionType",
    "DTensor": "tf.experimental.dtensor",
    "graphs and sessions of `tf.compat.v1`": "tf.compat.v1.Session",
    "TensorFlow Lite": "tf.lite",
    "TPUs": "tf.tpu",
    "estimators": "tf.estimator",
}


def page() -> str:
    """The text of the page."""
    from whygrad.run.tensorflow_names import NAMES
    from whygrad.values.tensorflow_version import VERSION

    sections = {namespace: _section(namespace, names.split()) for namespace, names in NAMES.items()}
    here = sum(section.here for section in sections.values())
    differs = sum(section.differs for section in sections.values())
    missing = sum(section.missing for section in sections.values())
    left_out = [f"| {family} | `{name}` | {missing_sentence(name)} |" for family, name in LEFT_OUT.items()]
    return "\n".join([
        "# TensorFlow's names in whygrad",
        "",
        textwrap.fill(
            f"TensorFlow {VERSION} has {here + differs + missing:,} public names outside of `tf.keras`, `tf.compat.v1` and "
            f"`tf.raw_ops`. Of these, {here:,} are here, {differs:,} are here and differ in something that a program can notice, and "
            f"{missing:,} are not: using one raises an AttributeError that says what to do instead, in the words of this page. "
            "`python -m tools.public_names` writes this page, and a test compares it with the errors.",
            110,
        ),
        "",
        "## Left out on purpose",
        "| family | a script asks for | what the error says |",
        "|---|---|---|",
        *left_out,
        "",
        *[line for section in sections.values() for line in section.lines],
    ])  # fmt: skip


class _Section(NamedTuple):
    """How many names of a namespace are here, differ and are missing; and the lines about them."""

    here: int
    differs: int
    missing: int
    lines: list[str]


def _section(namespace: str, names: list[str]) -> _Section:
    here, differing, missing = [], {}, {}
    for name in names:
        full = f"{namespace}.{name}"
        if (sentence := missing_sentence(full)) is not None:
            missing[name] = sentence
        elif (words := difference(full)) is not None:
            differing[name] = words
        else:
            here.append(name)
    lines = [f"## {namespace}"]
    if here:
        lines += ["Here:", *_listed(here), ""]
    if differing:
        lines += ["Here, but different:", *_grouped(differing), ""]
    if missing:
        lines += ["Not here:", *_grouped(missing), ""]
    return _Section(len(here), len(differing), len(missing), lines)


def _listed(names: list[str]) -> list[str]:
    return textwrap.wrap(" ".join(f"`{name}`" for name in names), 130, break_on_hyphens=False)


def _grouped(said: dict[str, str]) -> list[str]:
    """One line for each sentence, with the names that say it."""
    sentences: dict[str, list[str]] = {}
    for name, sentence in said.items():
        sentences.setdefault(sentence, []).append(name)
    return [f"- {', '.join(f'`{name}`' for name in names)}: {text}." for text, names in sentences.items()]


@functools.cache
def _root() -> Any:
    from whygrad.run.standin import standing_in

    with standing_in() as tf:
        return tf


def _value(name: str) -> Any:
    return functools.reduce(getattr, name.split(".")[1:], _root())


def missing_sentence(name: str) -> str | None:
    """What the error says to do without a name; None for a name that exists."""
    if name in DIFFERENCES and DIFFERENCES[name] is _KERAS:
        return None  # whether Keras is installed or not
    try:
        _value(name)
    except AttributeError as error:
        return str(error).partition("; ")[2] or str(error)
    except ImportError:  # the extra that it needs is not installed
        return None
    return None


def difference(name: str) -> str | None:
    """What is different about a name that exists, in a few words; None where nothing is known to be."""
    if name in DIFFERENCES:
        return DIFFERENCES[name]
    try:
        value = _value(name)
    except ImportError:
        return None
    summary = (inspect.getdoc(value) or "").partition("\n")[0] if callable(value) else ""
    return "accepted; it has no effect" if any(words in summary for words in _NO_EFFECT) else None
