"""Compare a training step as several libraries compile and run it; used by transformer.py and residual.py.

Each round visits all variants in turn, and the best round of each counts. Libraries that are not installed are skipped. The losses of the
first steps are printed, to show that all train the same model. `--memory` runs each variant in a process of its own, and prints the peak of
what its library has allocated on the device.
"""

import argparse
import importlib.util
import json
import subprocess
import sys
import time


def arguments(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10, help="steps per round")
    parser.add_argument("--only", nargs="*", default=[], help="run only variants whose names contain one of these")
    parser.add_argument("--json", help="file for the results")
    parser.add_argument("--memory", action="store_true", help="also measure the memory that each variant takes at most")
    parser.add_argument("--memory-of", help=argparse.SUPPRESS)
    return parser


def compare(variants, options):
    """Time the variants: functions by name, each returning `run`, a function for the loss as a number, and one that waits for it."""
    if options.memory_of:
        run, number, _ = variants[options.memory_of]()
        for _ in range(3):
            number(run())
        print(_peak(options.memory_of))
        return
    ready = {}
    for name, make in variants.items():
        if not _is_installed(name) or (options.only and not any(each in name for each in options.only)):
            continue
        began = time.perf_counter()
        try:
            run, number, wait = make()
            losses = [number(run()) for _ in range(4)]
        except Exception as error:
            print(f"{name} failed: {type(error).__name__}: {str(error)[:300]}", flush=True)
            continue
        ready[name] = run, wait
        taken = time.perf_counter() - began
        print(f"{name}: ready in {taken:.1f} s, losses {[round(loss, 4) for loss in losses]}", flush=True)
    best = dict.fromkeys(ready, float("inf"))
    for _ in range(options.rounds):
        for name, (run, wait) in ready.items():
            wait(run())
            began = time.perf_counter()
            for _ in range(options.steps):
                loss = run()
            wait(loss)
            best[name] = min(best[name], (time.perf_counter() - began) / options.steps)
    results = {name: {"ms": seconds * 1e3} for name, seconds in best.items()}
    for name, result in results.items():
        if options.memory:
            result["peak MB"] = _peak_in_own_process(name)
        print(f"{name:32}", "  ".join([f"{value:8.2f} {unit}" for unit, value in result.items()]), flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


def of_jax(loss_of, values, data, rate):
    """Return what `compare` wants of a step of gradient descent: `loss_of(values, *data)` is the loss, as hand-written JAX."""
    import jax

    @jax.jit
    def step(values, *data):
        loss, gradients = jax.value_and_grad(loss_of)(values, *data)
        return jax.tree.map(lambda value, gradient: value - rate * gradient, values, gradients), loss

    state = {"values": jax.tree.map(jax.numpy.asarray, values)}

    def run():
        state["values"], loss = step(state["values"], *data)
        return loss

    return run, float, lambda loss: loss.block_until_ready()


def of_torch(loss_of, variables, rate, compiled):
    """Return the same for PyTorch: `loss_of()` is the loss."""
    import torch

    forward = torch.compile(loss_of) if compiled else loss_of

    def run():
        loss = forward()
        gradients = torch.autograd.grad(loss, variables)
        with torch.no_grad():
            torch._foreach_add_(variables, gradients, alpha=-rate)
        return loss

    def wait(loss):
        if loss.is_cuda:
            torch.cuda.synchronize()

    return run, lambda loss: loss.item(), wait


def _is_installed(name):
    library = {"JAX": "jax", "whygrad": "whygrad"}.get(name.split(",")[0], "torch")
    return importlib.util.find_spec(library) is not None


def _peak_in_own_process(name):
    command = [sys.executable, *sys.argv, "--memory-of", name]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def _peak(name):
    """Return the most memory that the variant's library has allocated on the device, in megabytes."""
    if "torch" in name.lower():
        import torch

        return torch.cuda.max_memory_allocated() / 1e6
    import jax

    return jax.local_devices()[0].memory_stats()["peak_bytes_in_use"] / 1e6
