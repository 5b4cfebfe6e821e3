"""whygrad.distribute: the same training on one device and on several, in one process and in two; and a process that dies."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import whygrad as tf
from tests.support.examples import EXAMPLES

SHAPES = {"hidden": (8, 12), "bias": (12,), "out": (12, 4)}
DOCUMENT = pathlib.Path(__file__).parent.parent.parent / "docs" / "distribute.md"
PROGRAM = pathlib.Path(__file__).parent / "training_process.py"


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


class Processes:
    """`count` processes of `devices` virtual devices that run a command of `training_process.py` together."""

    def __init__(self, command, directory, count, devices):
        self.directory = directory
        directory.mkdir()
        address = free_address()
        environment = dict(
            os.environ, XLA_FLAGS=f"--xla_force_host_platform_device_count={devices}", JAX_PLATFORMS="cpu"
        )
        self.running = [
            subprocess.Popen(
                [sys.executable, PROGRAM, command, address, str(count), str(index), directory],
                env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            for index in range(count)
        ]  # fmt: skip

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for each in self.running:
            each.kill()
            each.communicate()

    def found(self, index):
        """What a process found, when it is done."""
        printed = self.running[index].communicate(timeout=600)[0]
        file = self.directory / f"{index}.json"
        assert file.exists(), f"process {index} ended with {self.running[index].returncode}:\n{printed}"
        found = json.loads(file.read_text())
        assert "traceback" not in found, found["traceback"]
        return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The training on one device."""
    with Processes("replicated", tmp_path_factory.mktemp("alone") / "run", count=1, devices=1) as processes:
        return processes.found(0)


@pytest.mark.parametrize(("count", "devices"), [(1, 4), (2, 2)])
@pytest.mark.parametrize("command", ["replicated", "divided"])
def test_the_same_training_on_several_devices(command, count, devices, alone, tmp_path):
    with Processes(command, tmp_path / "run", count, devices) as processes:
        for index in range(count):
            found = processes.found(index)
            assert processes.running[index].returncode == 0
            assert found["replicas"] == 4
            np.testing.assert_allclose(found["losses"], alone["losses"], rtol=2e-6)
            for name, value in alone["variables"].items():
                np.testing.assert_allclose(found["variables"][name], value, rtol=2e-5, atol=2e-6)
            assert found["same after restoring"]
            hidden, out = ([8, 3], [3, 4]) if command == "divided" else ([8, 12], [12, 4])
            assert found["parts"] == {"hidden": hidden, "bias": [12], "out": out}
    variables = {name: tf.Variable(tf.zeros(shape)) for name, shape in SHAPES.items()}
    tf.train.Checkpoint(**variables).restore(found["path"]).assert_consumed()
    np.testing.assert_allclose(variables["hidden"], found["variables"]["hidden"], rtol=1e-7)
    assert [each.name for each in (tmp_path / "run").glob(".*")] == []


def test_a_value_that_other_processes_have_parts_of(tmp_path):
    with Processes("part_of_a_value", tmp_path / "run", count=2, devices=2) as processes:
        found = [processes.found(index) for index in range(2)]
    for each in found:
        assert each["whole"] == [0, 1, 2, 3, 1, 2, 3, 4]
        assert each["repr"] == "<tf.Tensor: shape=(8,), dtype=float64, numpy=<a part of it is in this process>>"
        assert each["numpy"].startswith("This process has only a part of a tensor of shape (8,)")
        assert "strategy.gather" in each["numpy"]
        assert "pass parts of a batch with different sizes: 2, 4 (processes 0 to 1)" in each["sizes"]


def test_four_devices_in_one_process(tmp_path):
    with Processes("on_four_devices", tmp_path / "run", count=1, devices=4) as processes:
        found = processes.found(0)
    x = np.arange(16.0, dtype="float32").reshape(4, 4)
    w = np.arange(8.0, dtype="float32").reshape(4, 2)
    assert found["before"] == 6
    assert found["makes a variable"] == 22.5
    assert found["after"] == [240, 6]
    np.testing.assert_allclose(found["gradient"], x.T @ np.cos(x @ w) * 0.5, rtol=1e-4, atol=1e-5)
    assert found["scale"] == 0.5
    np.testing.assert_allclose(found["doubled"], np.sin(x @ (2 * w)), rtol=1e-4, atol=1e-4)
    assert found["parts"] == [[1, 2], [], []]
    assert found["device"].endswith("device:CPU:0")
    assert found["traces"] == 2  # for two shapes: values that lie elsewhere are compiled for, not traced for
    assert found["structure"] == [[4], [8, 3]]


def test_invalid_calls(tmp_path):
    with Processes("mistakes", tmp_path / "run", count=1, devices=4) as processes:
        found = processes.found(0)
    assert found == {
        "size": "ValueError: a batch of shape (6, 2) cannot be divided among the 4 devices: 6 is not a multiple of 4. Drop the "
        "last 2, or choose another batch size.",
        "scalar": "ValueError: a batch is divided along its first axis, but a scalar has no axes",
        "string": "TypeError: a batch of strings cannot be divided: devices hold only numbers",
        "not divisible": "ValueError: variable_rule divides `half` of shape (4, 6) along axis 1, but 6 is not a multiple of the 4 "
        "devices: choose another axis, or None for a copy on each",
        "no axis": "ValueError: variable_rule divides `none` along axis 2, but its shape (4, 6) has no such axis",
        "rule": "TypeError: variable_rule must be a function of a name and a shape, or a mapping from patterns of names to axes, "
        "not 3",
        "device": "ValueError: this process has no device CPU:4: it has 4 of kind CPU",
        "too late": "RuntimeError: distribute.initialize must be the first thing that uses the devices: a compiled function, a "
        "device or a strategy was used before it",
    }


def test_where_to_meet_is_read_off_the_environment(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", '{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 1}}')
    from whygrad.engines.processes import _from_environment

    assert _from_environment() == {"coordinator_address": "a:1", "num_processes": 2, "process_id": 1}
    monkeypatch.setenv("JAX_PROCESS_ID", "0")
    monkeypatch.setenv("JAX_COORDINATOR_ADDRESS", "c:3")
    assert _from_environment() == {"coordinator_address": "c:3", "num_processes": 2, "process_id": 0}


def test_the_example(tmp_path):
    command = [sys.executable, EXAMPLES / "data_parallel.py", "--small", "--out", tmp_path / "picture.png"]
    done = subprocess.run(
        command, env=dict(os.environ, JAX_PLATFORMS="cpu"), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    first, last = map(float, re.search(r"loss (\S+) at first, (\S+) at last", done.stdout).groups())
    assert last < 0.4 * first
    assert float(re.search(r"in 2 processes and in one: (\S+)", done.stdout)[1]) < 1e-5
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


PROGRAMS = re.findall(r"```python\n(.*?)```\n```text\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("program", "shown"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_of_the_document_print_what_it_shows(program, shown, tmp_path):
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    environment = dict(os.environ, XLA_FLAGS="--xla_force_host_platform_device_count=4", JAX_PLATFORMS="cpu")
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == shown


@pytest.mark.parametrize("killed", [0, 1])
def test_a_process_that_dies_is_an_error_in_the_other(killed, tmp_path):
    directory = tmp_path / "run"
    with Processes("until_one_dies", directory, count=2, devices=2) as processes:
        begin = time.monotonic()
        while len(list(directory.glob("saved/ckpt-*.safetensors"))) < 2:
            assert time.monotonic() - begin < 600
            assert all(each.poll() is None for each in processes.running)
            time.sleep(0.05)
        processes.running[killed].send_signal(signal.SIGKILL)
        died = time.time()
        found = processes.found(1 - killed)
        assert found["when"] - died < 90  # the heartbeats tell, not the runtime's own patience of minutes
    assert found["class"] == "ProcessLostError"
    assert found["error"].startswith(f"process {killed} of 2")
    assert "is gone" in found["error"]
    assert "restore the last checkpoint" in found["error"]
    latest = tf.train.latest_checkpoint(directory / "saved")
    variables = {name: tf.Variable(tf.zeros(shape)) for name, shape in SHAPES.items()}
    tf.train.Checkpoint(**variables).restore(latest).assert_consumed()
    assert all(np.isfinite(each).all() and np.any(each != 0) for each in variables.values())


def test_processes_that_do_not_meet(tmp_path):
    with Processes("absent", tmp_path / "run", count=2, devices=1) as processes:
        found = processes.found(0)
    assert found["error"].startswith("process 0 of 2 waited 2 s at the end of an epoch for the others")
