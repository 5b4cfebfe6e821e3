"""The site's sources: pages, links, the catalogue and the API reference. `.ci/run docs` builds the site itself."""

import inspect
import re

import pytest

import whygrad
from tools.site import catalogue, pages, reference
from whygrad.scipy import stats
from whygrad.view.catalogue import kinds


@pytest.fixture(scope="module")
def api():
    return reference.pages()


def documented(text):
    """The full names of the functions and classes that a page of the reference documents."""
    modules = re.findall(r"^```\{py:module\} ([\w.]+)", text, re.MULTILINE)
    names = re.findall(r"^`{6}\{py:\w+\} ([\w.]+)", text, re.MULTILINE)
    return [f"{module}.{name}" for module in modules for name in names]


def test_a_public_function_is_documented_in_one_place(api):
    entries = [name for text in api.values() for name in documented(text)]
    assert len(entries) == len(set(entries))
    assert {"whygrad.GradientTape", "whygrad.reduce_sum", "whygrad.math.log", "whygrad.math.special.dawsn"} <= set(
        entries
    )
    assert "whygrad.math.tanh" not in entries  # whygrad.tanh
    assert "| `whygrad.math.tanh` | {py:obj}`whygrad.tanh` |" in api["api/whygrad.math.md"]


def test_an_entry_has_the_signature_and_the_example(api):
    entry = api["api/whygrad.math.md"].partition("{py:function} log(")[2].partition("``````")[0]
    assert entry.startswith("x, name=None)")
    assert inspect.getdoc(whygrad.math.log).partition("\n")[0] in entry
    assert "```pycon\n>>> import whygrad as tf\n" in entry


def test_links_of_the_site_lead_to_their_places():
    assert pages.page("[x](run.md#the-report)", "docs/keras.md", "keras.md") == "[x](run.md#the-report)"
    assert pages.page("[x](docs/run.md)", "CHANGELOG.md", "changelog.md") == "[x](run.md)"
    assert pages.page("[x](../docs/run.md)", "examples/README.md", "examples/index.md") == "[x](../run.md)"
    assert pages.page("[x](causes.md#log-of-zero)", "docs/run.md", "run.md") == "[x](causes/log-of-zero.md)"
    assert pages.page("[x](../tools/notebooks.py)", "docs/run.md", "run.md") == "x"
    assert pages.page("`a[0](x)` [`f`](run.md)", "docs/keras.md", "keras.md") == "`a[0](x)` [`f`](run.md)"
    assert pages.page("```\n[x](nowhere.md)\n```", "docs/run.md", "run.md") == "```\n[x](nowhere.md)\n```"


def test_a_broken_link_stops_the_site():
    with pytest.raises(pages.BrokenLink, match=r"docs/run.md: \[x\]\(nowhere.md\) leads to docs/nowhere.md"):
        pages.page("[x](nowhere.md)", "docs/run.md", "run.md")


def test_the_site_has_all_pages_and_causes():
    found = pages.pages()
    assert {"index.md", "learn.md", "numpy.md", "tensorflow.md", "contributing.md", "examples/index.md"} <= set(found)
    sidebar = pages.contents(sorted(found))
    for name in found:
        assert name.startswith("examples/") or name == "index.md" or name.removesuffix(".md") in sidebar.splitlines()
    causes, all_kinds = catalogue.pages(), kinds()
    assert set(causes) == {f"causes/{kind}.md" for kind in [*all_kinds, "index"]}
    assert all(f"[{kind}]({kind}.md)" in causes["causes/index.md"] for kind in all_kinds)


def test_causes_are_found_by_what_a_user_sees():
    def found(typed):  # as static/filter.js finds them
        rows = catalogue.pages()["causes/index.md"].splitlines()
        return [
            row.split("]")[0][3:] for row in rows if row[:3] == "| [" and all(word in row for word in typed.split())
        ]

    assert "integer-dtype" in found("none cast")
    assert "log-of-zero" in found("nan log")
    assert found("relu dead") == ["saturated-region"]


def test_what_is_no_name_of_tensorflow_is_documented_too(api):
    assert {"gammaln", "logsumexp"} <= {
        each.rpartition(".")[2] for each in documented(api["api/whygrad.scipy.special.md"])
    }
    assert "whygrad.numpy.einsum" in documented(api["api/whygrad.numpy.md"])
    assert "whygrad.autograd.elementwise_grad" in documented(api["api/whygrad.autograd.md"])
    listed = re.findall(r"^\| `(\w+)` \| .+ \| `\w+` ", api["api/whygrad.scipy.stats.md"], re.MULTILINE)
    assert listed == sorted(stats.__all__, key=str.lower)
