"""Parsing in several threads."""

import ast
import threading

from whygrad.runtime.syntax_trees import parse

TEXT = "def f(x):\n" + "".join(f"    x = ((x + {i}) * (x - {i})) ** [{i}, ({i}, x)]\n" for i in range(300))


def test_threads_parse_at_the_same_time():
    failures = []

    def work():
        try:
            for _ in range(10):
                parse(TEXT)
        except SystemError as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_expression():
    assert isinstance(parse("a + 1", mode="eval").body, ast.BinOp)
