"""The promotion modes "safe" and "all" beside TensorFlow's: dtypes, weakness and values of all pairs of dtypes, and the errors."""

import functools
import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.tensorflow


@functools.cache
def _results(side, mode, *names):
    environment = os.environ | {
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "-1",
        "ONEDNN_MAX_CPU_ISA": "AVX512_CORE_FP16",
    }
    command = [sys.executable, "-W", "ignore", "-m", "tests.conformance.promotion", side, mode, *names]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    found = [line for line in done.stdout.splitlines() if line.startswith("results:")]
    assert found, done.stderr
    return json.loads(found[0].removeprefix("results:"))


def _both(mode):
    theirs = _results("tensorflow", mode)
    names = [each.removesuffix("(int8)") for each in theirs if each.endswith("(int8)") and " " not in each]
    return theirs, _results("whygrad", mode, *names)


def _agree(theirs, ours):
    """Whether two outcomes are the same: of errors the class, and of refused promotions the sentence."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        own_words = "promotion" in theirs["text"] + ours["text"] and not ours["text"].startswith("Cannot convert")
        return theirs["raised"] == ours["raised"] and (theirs["text"] == ours["text"] or not own_words)
    return theirs == ours


def _is_known(case, theirs, ours):
    """Whether the difference is one of other modes, too, or whygrad computes what TensorFlow has no kernel for."""
    if case.startswith(_OWN_DTYPES):
        return True
    if isinstance(theirs, dict) and not case.startswith(("tf.", "v.")):
        lacks_kernel = theirs["raised"] in ("NotFoundError", "InvalidArgumentError")
        return lacks_kernel or theirs["text"].startswith("Incompatible type conversion requested")
    # What mode "safe" refuses, TensorFlow hands to an array at the right: NumPy computes it, outside of any tape. It is refused here.
    left_to_numpy = " NumPy " in case and str(theirs).startswith("array(") and "promotion" in str(ours)
    return left_to_numpy or "nan" in str(theirs)


# These differ in the other modes, too: NumPy's functions have NumPy's dtypes and errors, and TensorFlow takes integers as float64.
_OWN_DTYPES = ("experimental.numpy.", "math.erfcinv", "math.divide_no_nan", "nn.gelu")


@pytest.mark.parametrize("mode", ["safe", "all"])
def test_pairs_functions_and_snippets(mode):
    theirs, ours = _both(mode)
    differ = [
        (case, found, ours.get(case))
        for case, found in theirs.items()
        if case in ours and not _agree(found, ours[case]) and not _is_known(case, found, ours[case])
    ]
    assert not differ, "\n".join(f"{case}: {a} there, {b} here" for case, a, b in differ[:20])
    assert len([case for case in theirs if case in ours]) > 6000


def test_every_function_that_gives_weak_tensors_does():
    theirs, ours = _both("all")
    weak = [
        case
        for case, found in theirs.items()
        if case.endswith("(weak float32)") and isinstance(found, list) and found[1] is True
    ]
    missing = [case for case in weak if case in ours and not (isinstance(ours[case], list) and ours[case][1] is True)]
    assert not missing
    assert len(weak) > 150
