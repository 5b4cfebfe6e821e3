"""Waiting awake: only for what is soon ready, and never when it is switched off."""

import pytest

from whygrad.runtime import busy_waiting
from whygrad.runtime.busy_waiting import BusyWait
from whygrad.runtime.switches import switches


class _Soon:
    """Ready when it was asked so many times."""

    def __init__(self, asked):
        self.left = asked
        self.asked = 0

    def __call__(self):
        self.asked += 1
        self.left -= 1
        return self.left < 0


@pytest.fixture
def clock(monkeypatch):
    """A clock on which each look takes a tenth of a millisecond."""
    now = [0.0]

    def look():
        now[0] += 1e-4
        return now[0]

    monkeypatch.setattr(busy_waiting.time, "perf_counter", look)


def test_it_waits_for_what_is_soon_ready(clock):
    wait, soon = BusyWait(), _Soon(3)
    wait(soon)
    assert soon.left == -1
    wait(_Soon(0))
    assert wait.without == 0


def test_it_gives_up_after_a_millisecond_and_tries_ever_more_rarely(clock):
    wait = BusyWait()
    waited = []
    for call in range(200):
        late = _Soon(10**9)
        wait(late)
        if late.asked > 1:
            assert late.asked < 15
            waited.append(call)
    assert waited == [0, 2, 6, 14, 30, 62, 126, 190]
    for _ in range(64):
        wait(_Soon(3))
    assert wait.without == 0  # short again


def test_it_can_be_switched_off(monkeypatch):
    monkeypatch.setattr(switches, "busy_wait", False)
    late = _Soon(10**9)
    BusyWait()(late)
    assert late.asked == 1
