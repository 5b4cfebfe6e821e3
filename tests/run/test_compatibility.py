"""The page on TensorFlow's names says of each what is there, and of each missing one what its error says."""

import functools
import re

import pytest

import whygrad
from tools import compatibility
from whygrad.run.tensorflow_names import NAMES

PAGE = compatibility.FILE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (tf[\w.]*)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
KINDS = ("Here:", "Here, but different:", "Not here:")


def parts(namespace):
    """The paragraphs of a section, by kind."""
    paragraphs = [text.partition("\n") for text in SECTIONS[namespace].strip().split("\n\n")]
    return {kind: text for kind, _, text in paragraphs}


def said(namespace):
    """The missing names of a namespace, with what the page says about each."""
    lines = parts(namespace).get("Not here:", "").splitlines()
    pairs = [re.fullmatch(r"- ((?:`\w+`(?:, )?)+): (.*)\.", line).groups() for line in lines]
    return {name: sentence for names, sentence in pairs for name in re.findall(r"\w+", names)}


def test_the_page_is_up_to_date():
    assert compatibility.page() == PAGE, "run `python -m tools.public_names`"


@pytest.mark.parametrize("namespace", sorted(NAMES))
def test_every_public_name_is_listed_once(namespace):
    assert set(parts(namespace)) <= set(KINDS)
    listed = [
        name
        for kind, text in parts(namespace).items()
        for group in re.findall(r"^- (.*?): |((?:`\w+`\s?)+)$", text, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", "".join(group))
    ]
    assert sorted(listed) == sorted(NAMES[namespace].split())


@pytest.mark.parametrize("namespace", [each for each in sorted(NAMES) if said(each)])
def test_missing_names_say_what_the_page_says(namespace):
    for name, sentence in said(namespace).items():
        with pytest.raises(AttributeError) as caught:
            functools.reduce(getattr, f"{namespace}.{name}".split(".")[1:], whygrad)
        assert str(caught.value).endswith(f"does not exist in whygrad; {sentence}")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "tf.experimental.ExtensionType",
            "whygrad has no extension types: keep the tensors in a named tuple or a dict",
        ),
        ("tf.experimental.dtensor.Mesh", "whygrad has no DTensor: tf.distribute.DataParallel divides the batch"),
        ("tf.compat.v1.Session", "whygrad has no graphs and sessions: ops are computed at once"),
        ("tf.compat.v1.placeholder", "whygrad has no graphs: pass values as arguments of a function"),
        ("tf.compat.v1.train.AdamOptimizer", "optimizers of TensorFlow 1 need graphs: use tf.keras.optimizers"),
        ("tf.compat.v1.disable_v2_behavior", "whygrad always behaves as TensorFlow 2: remove the call"),
        ("tf.lite.TFLiteConverter", "converts none for phones or other devices"),
        ("tf.tpu.experimental.initialize_tpu_system", "leaves TPUs out"),
        ("tf.estimator.DNNClassifier", "TensorFlow 2.16 removed estimators: train a tf.keras.Model with fit"),
    ],
)
def test_families_that_are_left_out_say_one_sentence(name, sentence):
    with pytest.raises(AttributeError) as caught:
        functools.reduce(getattr, name.split(".")[1:], whygrad)
    message = str(caught.value)
    assert sentence in message
    assert message.count("; ") == 1


def test_the_families_are_on_the_page():
    for family, name in compatibility.LEFT_OUT.items():
        assert f"| {family} | `{name}` | {compatibility.missing_sentence(name)} |" in PAGE


@pytest.mark.parametrize("name", [*compatibility.DIFFERENCES])
def test_what_differs_exists(name):
    assert compatibility.missing_sentence(name) is None
