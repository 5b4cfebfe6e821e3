"""Threads for tests: run together, and raise here what they raise there."""

import sys
import threading

PATIENCE = 600  # seconds: a deadlock fails the test; a busy machine does not


def run_together(*functions):
    """Call the functions, each in a thread, all starting at once, with frequent switches between them."""
    start = threading.Barrier(len(functions))
    failures = []

    def call(function):
        try:
            start.wait()
            function()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=call, args=(function,), daemon=True) for function in functions]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
            assert not thread.is_alive(), "a thread waits for ever"
    finally:
        sys.setswitchinterval(interval)
    if failures:
        raise failures[0]


def in_thread(function):
    """The result of a function that runs in a thread of its own."""
    found = []
    run_together(lambda: found.append(function()))
    return found[0]
