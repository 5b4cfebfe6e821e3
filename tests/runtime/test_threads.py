"""The count of other threads, by the interpreter and by `threading`."""

import threading

import pytest

from whygrad.runtime import threads


@pytest.mark.parametrize("count", [threads.other_threads, threads._counted_by_threading])
def test_a_living_thread_counts(count):
    before = count()
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    assert count() == before + 1
    end.set()
    thread.join()
    assert count() == before
