"""What a call into the runtime raises when another process is gone."""

import socket
import threading
import time

import pytest

import whygrad as tf
from whygrad.engines import processes
from whygrad.engines.processes import ProcessLostError, Team


@pytest.fixture
def team(monkeypatch):
    """Process 1 of 2, whose coordinating process answers."""
    monkeypatch.setattr(Team, "_end_calls", lambda self: None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        team = Team()
        team.index, team.count, team._heartbeat = 1, 2, 0.0
        team._address = f"127.0.0.1:{server.getsockname()[1]}"
        yield team


ERRORS = [ValueError("UNAVAILABLE: connection reset"), RuntimeError("aborted"), OSError("broken pipe"), KeyError("x")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_any_error_is_a_lost_process_once_the_loss_is_known(team, error):
    team._heartbeat = 600.0  # the loss is known before that

    def learn():
        time.sleep(0.3)
        team._lose("process 0 of 2 is gone.")

    threading.Thread(target=learn).start()
    with pytest.raises(ProcessLostError, match="process 0 of 2 is gone"), team.calling():
        raise error


def test_a_coordinator_that_does_not_answer_is_a_lost_process(team):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    team._address = f"127.0.0.1:{port}"
    with pytest.raises(ProcessLostError, match="process 0 of 2"), team.calling():
        raise ValueError("UNAVAILABLE")


def test_an_error_stays_itself_if_all_processes_live(team, monkeypatch):
    monkeypatch.setattr(processes, "_PERIOD", 0.05)
    begin = time.monotonic()
    with pytest.raises(ValueError, match="wrong"), team.calling():
        raise ValueError("wrong")
    assert time.monotonic() - begin < 30


def test_errors_of_our_own_are_not_held_back(team):
    team._heartbeat = 1000.0
    with pytest.raises(tf.errors.InvalidArgumentError), team.calling():
        raise tf.errors.InvalidArgumentError(None, None, "wrong")
