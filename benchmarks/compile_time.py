"""Compare the time to trace and compile a training step: whygrad's `function`, and the same step written by hand in JAX.

    python benchmarks/compile_time.py [--rounds N] [--clock wall|process]
    python benchmarks/compile_time.py --cache FOLDER     with JAX's persistent compilation cache in a folder, filled by a first run

A network of dense layers, a convolutional one, and a transformer of 6 layers. Each measurement runs in its own process and takes the
time of the first call (tracing, compiling, one step) of a step whose library has compiled something before. Rounds alternate between
the two libraries, and the best round counts. `--clock process` counts processor time, for a busy machine.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from transformer import Sizes, jax_step, whygrad_step  # noqa: E402
from worker import CLOCKS, find, load  # noqa: E402

PROGRAMS = {"dense layers 784-128-10": "compiled_mlp", "convolution": "compiled_cnn", "transformer of 6 layers": None}
LIBRARIES = ("whygrad_function", "jax")


def first_step(library, workload):
    """Return the step, not yet compiled."""
    if workload is not None:
        return find(library, workload)(load(library))
    sizes = Sizes(small=True)
    sizes.layers = 6
    run, read, _ = (whygrad_step if library.startswith("whygrad") else jax_step)(sizes, fused=False)
    return lambda: read(run())


def measure(library, program, clock, cache):
    """Print the seconds of the first call."""
    import jax

    if cache:
        jax.config.update("jax_compilation_cache_dir", cache)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    if library == "jax":
        jax.jit(lambda x: x * 2)(1.0)
    else:
        load(library).function(lambda x: x * 2)(1.0)
    step = first_step(library, PROGRAMS[program])
    start = CLOCKS[clock]()
    step()
    print(json.dumps(CLOCKS[clock]() - start))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--cache", metavar="FOLDER", default="")
    parser.add_argument("--only", nargs="*", choices=PROGRAMS, default=list(PROGRAMS))
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        measure(*options.measure, options.clock, options.cache)
        return
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent / "src"), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, __file__, "--clock", options.clock, "--cache", options.cache, "--measure"]
    for program in options.only:
        best = dict.fromkeys(LIBRARIES, float("inf"))
        for number in range(options.rounds + bool(options.cache)):
            for library in LIBRARIES:
                found = subprocess.run(
                    [*command, library, program], env=environment, capture_output=True, text=True, check=True
                )
                if number or not options.cache:  # the first run fills the cache
                    best[library] = min(best[library], json.loads(found.stdout.splitlines()[-1]))
        ours, theirs = (best[library] for library in LIBRARIES)
        print(f"{program:26} whygrad {ours:6.3f} s   JAX {theirs:6.3f} s   {ours / theirs:.2f} x JAX", flush=True)


if __name__ == "__main__":
    main()
