"""whygrad.distribute: the same training on one device and on several, in one process and in two, and when one of these dies."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import pytest

import whygrad as tf

SHAPES = {"hidden": (8, 12), "bias": (12,), "out": (12, 4)}
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
        printed = self.running[index].communicate(timeout=60)[0]
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
        assert "parts of different sizes of a batch: 2, 4 (processes 0 to 1)" in each["sizes"]


@pytest.mark.parametrize("killed", [0, 1])
def test_a_process_that_dies_is_an_error_in_the_other(killed, tmp_path):
    directory = tmp_path / "run"
    with Processes("until_one_dies", directory, count=2, devices=2) as processes:
        begin = time.monotonic()
        while len(list(directory.glob("saved/ckpt-*.safetensors"))) < 2:
            assert time.monotonic() - begin < 60
            assert all(each.poll() is None for each in processes.running)
            time.sleep(0.05)
        processes.running[killed].send_signal(signal.SIGKILL)
        died = time.time()
        found = processes.found(1 - killed)
        assert found["when"] - died < 15
        assert time.time() - died < 25
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
