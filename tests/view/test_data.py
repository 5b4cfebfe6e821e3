"""Findings as data: the JSON document, and writing it to a file."""

import json
import os
import stat

import pytest

from tests.view.places import cause, site, write
from whygrad.view import data


def test_the_document(tmp_path):
    program = write(tmp_path / "program.py", "\ny = tf.round(x)\n")
    found = cause(site(program, "tf.round(x)", "cut here", "float32 (3,)"), help="do this", likely=True)
    assert data.document([found]) == [
        {
            "schema": 1,
            "kind": "a-kind",
            "symptom": "none",
            "sentence": "it went wrong",
            "likely": True,
            "file": str(program),
            "line": 2,
            "column": 4,
            "sites": [
                {
                    "file": str(program),
                    "line": 2,
                    "column": 4,
                    "end_line": 2,
                    "end_column": 15,
                    "text": "tf.round(x)",
                    "role": "cut here",
                    "note": "float32 (3,)",
                }
            ],
            "shapes": {},
            "help": "do this",
            "edits": [],
        }
    ]


def test_written_and_read_again(tmp_path):
    path = tmp_path / "findings.json"
    path.write_text("what was there before")
    data.write(str(path), [cause(sentence="größer \udcff")])
    assert json.loads(path.read_text(encoding="utf-8"))[0]["sentence"] == "größer \udcff"
    data.write(str(path), [])
    assert json.loads(path.read_text(encoding="utf-8")) == []
    assert os.listdir(tmp_path) == ["findings.json"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "findings.json"
    path.write_text("[]")

    def full(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        data.write(str(path), [cause()])
    assert path.read_text() == "[]"
    assert os.listdir(tmp_path) == ["findings.json"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.json").symlink_to(tmp_path / "findings.json")
    data.write(str(tmp_path / "link.json"), [])
    assert (tmp_path / "link.json").is_symlink()
    assert (tmp_path / "findings.json").read_text() == "[]\n"


def test_a_device_is_written_to_and_stays(tmp_path):
    data.write(os.devnull, [cause()])
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
