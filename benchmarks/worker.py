"""Measure one workload of one library in its own process, and print the result as JSON.

python benchmarks/worker.py LIBRARY WORKLOAD CLOCK SECONDS
"""

import importlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import tracemalloc

FAMILIES = ("small_ops", "large_arrays", "derivatives", "networks", "compiled")
APIS = {
    "whygrad": "tape",
    "tensorflow": "tape",
    "numpy": "numpy",
    "torch": "torch",
    "autograd": "autograd",
    "whygrad_function": "function",
    "jax": "jax",
    "tensorflow_function": "function",
    "tensorflow_jit": "jit",
}
CLOCKS = {"wall": time.perf_counter, "process": time.process_time, "thread": time.thread_time}
FIRST_GRADIENT = {
    "tape": "import {0} as tf\nx = tf.Variable(2.0)\nwith tf.GradientTape() as t: y = x * x\nassert t.gradient(y, x) == 4",
    "torch": "import torch\nx = torch.tensor(2.0, requires_grad=True)\nassert torch.autograd.grad(x * x, x)[0] == 4",
    "autograd": "import autograd\nassert autograd.grad(lambda x: x * x)(2.0) == 4",
}


def load(library):
    module = importlib.import_module(library.split("_")[0])
    if library == "autograd":
        importlib.import_module("autograd.numpy")
    return module


def find(library, workload):
    """Return the function that prepares the workload for the library, or None."""
    for family in FAMILIES:
        module = importlib.import_module(f"workloads.{family}")
        for name in (library, APIS[library]):
            found = getattr(module, f"{workload}_{name}", None)
            if found is not None:
                return found
    return None


def best_time(step, clock, seconds):
    """Return the shortest time of a step, from about `seconds` of repetitions; short steps are timed in groups."""
    step()  # the first call compiles, and takes longer
    began = time.perf_counter()
    step()
    count = max(1, int(2e-4 / (time.perf_counter() - began)))
    least = float("inf")
    began = time.perf_counter()
    while least == float("inf") or time.perf_counter() - began < seconds:
        start = clock()
        for _ in range(count):
            result = step()
        least = min(least, (clock() - start) / count)
        del result  # free the step's results before the next one, outside its time
    return least


def memory(field):
    """Return VmRSS (current memory) or VmHWM (peak since the last reset), in bytes."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status).group(1)) * 1024


def peak_memory(step):
    """Return the peak memory of a step beyond what was in use before it."""
    before = memory("VmRSS")
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets VmHWM
    result = step()
    del result
    return memory("VmHWM") - before


def held_memory(step):
    """Return the memory that a step's result keeps alive, in allocations of Python and NumPy."""
    tracemalloc.start()
    result = step()
    held = tracemalloc.get_traced_memory()[0]
    del result
    return held


def fresh_process(code):
    """Return the seconds that a program takes in a new process, from start to exit."""
    # As after an installation: with bytecode.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True)
    return time.perf_counter() - start


def import_time(library):
    code = f"import time; t = time.perf_counter(); import {library}; print(time.perf_counter() - t)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, env=environment, capture_output=True, text=True)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


def install_size(library):
    """Return the bytes on disk of a distribution and all its requirements."""
    pending, seen, total = importlib.metadata.packages_distributions().get(library, [library]), set(), 0
    while pending:
        name = re.split(r"[^A-Za-z0-9._-]", pending.pop())[0].lower().replace("_", "-")
        if name in seen:
            continue
        seen.add(name)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        pending += [each for each in distribution.requires or () if "extra ==" not in each]
        files = [pathlib.Path(distribution.locate_file(file)) for file in distribution.files or ()]
        package = importlib.util.find_spec(name) if name == "whygrad" else None
        if package is not None:  # an editable install has no files of its own
            files += pathlib.Path(package.origin).parent.rglob("*.py")
        total += sum(file.stat().st_size for file in set(files) if file.is_file() and file.suffix != ".pyc")
    return total


def measure(library, workload, clock, seconds):
    if workload == "import":
        return import_time(library)
    if workload == "first_gradient":
        program = FIRST_GRADIENT.get(APIS[library])
        return None if program is None else min(fresh_process(program.format(library)) for _ in range(3))
    if workload == "install_size":
        return install_size(library)
    prepare = find(library, workload)
    if prepare is None:
        return None
    step = prepare(load(library))
    if workload == "deep_memory":
        return peak_memory(step)
    if workload == "record_memory":
        return held_memory(step) / 20_000
    return best_time(step, CLOCKS[clock], float(seconds))


if __name__ == "__main__":
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    print(json.dumps({"value": measure(*sys.argv[1:])}))
