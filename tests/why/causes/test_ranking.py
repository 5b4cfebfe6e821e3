"""The tables of explanations agree with the catalogue's pages and with the kinds that the code can produce."""

import ast
import functools
import pathlib
import re

import pytest

from whygrad import why
from whygrad.view import catalogue
from whygrad.why.cause import SYMPTOMS
from whygrad.why.causes import nonfinite_gradient, ranking, zero_gradient
from whygrad.why.evidence.broken_path import Ending

FOLDER = pathlib.Path(why.__file__).parent
RANKED = {kind for kinds in ranking.RANKING.values() for kind in kinds}
# Functions and classes that make a cause, or what becomes one, of a kind: their argument that looks like a kind is one.
KIND = re.compile(r"[a-z]+(-[a-z]+)+")
MAKERS = ("Cause", "Refusal", "cause_of_none", "cause")


@functools.cache
def _kinds_in_the_code():
    """Each kind that the code makes causes of, with the file."""
    return list(_find_kinds())


def _find_kinds():
    for path in sorted(FOLDER.rglob("*.py")):
        if path.name == "ranking.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                for each in node.args[:2] if name in MAKERS else ():
                    if isinstance(each, ast.Constant) and KIND.fullmatch(str(each.value)):
                        yield each.value, path.name
            if isinstance(node, ast.Constant) and node.value in RANKED:
                yield node.value, path.name


def test_every_page_is_ranked_and_every_ranked_kind_has_a_page():
    assert sorted(RANKED) == catalogue.kinds()


def test_the_table_has_the_symptoms_in_their_order():
    assert tuple(ranking.RANKING) == SYMPTOMS


@pytest.mark.parametrize("kind", sorted(RANKED))
def test_a_page_names_the_symptoms_under_which_its_kind_is_ranked(kind):
    ranked = {symptom for symptom, kinds in ranking.RANKING.items() if kind in kinds}
    assert set(catalogue.symptoms(kind)) == ranked


def test_the_code_makes_causes_of_the_ranked_kinds_and_of_no_others():
    assert {kind for kind, _ in _kinds_in_the_code()} == RANKED


def test_causes_have_a_symptom_under_which_their_kind_is_ranked():
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Cause":
                kind, symptom = node.args[:2]
                if isinstance(kind, ast.Constant) and isinstance(symptom, ast.Constant):
                    assert kind.value in ranking.RANKING[symptom.value], f"{path.name}: {kind.value}, {symptom.value}"


def test_every_way_in_which_a_path_ends_is_ranked_once():
    assert sorted(each.name for level in ranking.CUTS for each in level) == sorted(each.name for each in Ending)


NAMED = [entry for entry in (*ranking.NONE, *ranking.EMPTY) if len(entry.kinds) == 1]


@pytest.mark.parametrize("entry", NAMED, ids=lambda entry: entry.kinds[0])
def test_a_kind_of_none_is_explained_in_the_file_of_its_name(entry):
    (kind,) = entry.kinds
    assert kind in {made for made, file in _kinds_in_the_code() if file == f"{kind.replace('-', '_')}.py"}


@pytest.mark.parametrize(
    ("table", "symptom"), [(nonfinite_gradient._MADE_BY_AN_OP, "nonfinite"), (zero_gradient._VANISHED, "zero")]
)
def test_explanations_of_numbers_are_tried_in_the_order_of_rank(table, symptom):
    files = {file: {kind for kind, other in _kinds_in_the_code() if other == file} for _, file in _kinds_in_the_code()}
    ranked = ranking.RANKING[symptom]
    order = []
    for explanation in table:
        kinds = files[explanation.__module__.rpartition(".")[2] + ".py"]
        order.append(min(ranked.index(kind) for kind in kinds if kind in ranked))
    assert order == sorted(order)
