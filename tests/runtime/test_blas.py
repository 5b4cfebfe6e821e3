"""Which products OpenBLAS computes in the thread that calls it."""

import os
import platform
import subprocess
import sys

import pytest

from whygrad.runtime import blas


@pytest.mark.parametrize(
    ("core", "size"),
    [(b"SkylakeX", 10**6), (b"SapphireRapids", 10**6), (b"Haswell", 2**18), (b"Zen", 2**18), (None, 10**6)],
)
def test_the_size_follows_from_the_processor(core, size, monkeypatch):
    monkeypatch.setattr(blas, "_core", lambda: core)
    assert blas.largest_single_threaded_product() == size


@pytest.mark.skipif(
    blas._core() is None or platform.machine() != "x86_64", reason="needs OpenBLAS with kernels for several processors"
)
def test_the_processor_is_the_one_that_openblas_found():
    program = "from whygrad.runtime import blas; print(blas._core().decode())"
    for core in ("Nehalem", "Sandybridge"):
        environment = os.environ | {"OPENBLAS_CORETYPE": core}
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        assert run.stdout.strip() == core
