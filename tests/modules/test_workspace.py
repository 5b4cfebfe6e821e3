"""Folders of writers: removed when the writer is gone, never while it lives."""

import os
import subprocess
import sys
import textwrap
import time

import pytest

import whygrad as tf
from whygrad.modules import workspace


def _parts(directory):
    return [name for name in os.listdir(directory) if name.endswith(".part")]


KILLED = """
import os, signal, sys
import whygrad as tf
def killed(descriptor):
    os.kill(os.getpid(), signal.SIGKILL)
os.fsync = killed
tf.train.Checkpoint(v=tf.Variable(tf.ones(1000))).write(sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_the_next_save_removes_what_a_killed_writer_left(tmp_path):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "ckpt")], check=False)
    assert len(_parts(tmp_path)) == 1
    tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "other")
    assert os.listdir(tmp_path) == ["other.safetensors"]


def test_a_live_writers_folder_stays(tmp_path):
    program = textwrap.dedent(
        """
        import sys
        from whygrad.modules.workspace import workspace
        with workspace(sys.argv[1]):
            print("writing", flush=True)
            sys.stdin.read()
        """
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        writer.stdout.readline()
        with workspace.workspace(str(tmp_path)):
            for name in _parts(tmp_path):
                os.utime(tmp_path / name, (0, 0))
            workspace.remove_abandoned(str(tmp_path))
            assert len(_parts(tmp_path)) == 2
        writer.stdin.close()
    assert _parts(tmp_path) == []


@pytest.mark.parametrize("inside", [[], ["new", ".tmp123"], ["lock"], ["lock", "new"]])
def test_a_folder_is_removed_wherever_its_writer_was_killed(inside, tmp_path):
    folder = tmp_path / f".saving-{workspace._MACHINE}-0123.part"
    folder.mkdir()
    for name in inside:
        (folder / name).write_bytes(b"")
    workspace.remove_abandoned(str(tmp_path))
    assert not folder.exists()


def test_a_writer_whose_folder_is_removed_before_it_is_locked_makes_another(tmp_path, monkeypatch):
    made = []

    def mkdir(path, make=os.mkdir):
        make(path)
        made.append(path)
        if len(made) == 1:
            workspace.remove_abandoned(str(tmp_path))

    monkeypatch.setattr(os, "mkdir", mkdir)
    with workspace.workspace(str(tmp_path)) as (folder, _):
        assert made[0] != made[1] == folder
    assert _parts(tmp_path) == []


@pytest.mark.parametrize(("age", "stays"), [(3600, True), (100_000, False)])
def test_a_folder_of_another_machine_must_be_old_too(age, stays, tmp_path):
    """Its lock may be visible on that machine alone."""
    folder = tmp_path / ".saving-elsewhere.example-0123.part"
    folder.mkdir()
    (folder / "lock").write_bytes(b"")
    for path in (folder / "lock", folder):
        os.utime(path, (time.time() - age,) * 2)
    workspace.remove_abandoned(str(tmp_path))
    assert folder.exists() == stays


def test_nothing_else_is_removed(tmp_path):
    for name in ("ckpt.part", ".saving-notes", ".other-0123.part"):
        (tmp_path / name).mkdir()
    (tmp_path / ".saving-file.part").write_text("a file")
    workspace.remove_abandoned(str(tmp_path))
    workspace.remove_abandoned(str(tmp_path / "missing"))
    assert len(os.listdir(tmp_path)) == 4
