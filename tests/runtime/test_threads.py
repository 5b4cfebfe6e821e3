"""The count of other threads, by the interpreter and by `threading`."""

import threading

import pytest

from whygrad.runtime import threads


@pytest.mark.parametrize("count", [threads._count, threads._counted_by_threading])
def test_a_living_thread_counts(count):
    before = count()
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    assert count() == before + 1
    end.set()
    thread.join()
    assert count() == before


def test_threads_of_whygrad_itself_do_not_count(monkeypatch):
    monkeypatch.setattr(threads, "_count", lambda: 2)
    monkeypatch.setattr(threads.own, "started", 2)
    assert not threads.other_threads()
    monkeypatch.setattr(threads.own, "started", 1)
    assert threads.other_threads()
