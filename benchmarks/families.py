"""Measure families of drawn programs on whygrad and its peers: what holds for programs at large, not for one.

        python benchmarks/families.py                              all families, in this interpreter's environment
        python benchmarks/families.py --only chain convolution     only these families
        python benchmarks/families.py --peers torch numpy          only these peers
        python benchmarks/families.py --against OTHER_TREE         this tree against another source tree of whygrad
        python benchmarks/families.py --list                       the programs in words

Each library has one process for the whole run. Each round visits all libraries in turn with the same program, and the best round
counts. The tables show, for each family, the geometric mean and the worst of whygrad's time divided by the peer's (below 1,
whygrad is faster), then each program. A peer that is not installed is left out.
"""

import argparse
import contextlib
import functools
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from worker import CLOCKS, best_time, load  # noqa: E402
from workloads.drawn import COUNT, FAMILIES, SEED, draw  # noqa: E402

PEERS = ("numpy", "torch", "tensorflow", "autograd")
OTHER = "other"  # another tree of whygrad, as a peer


def serve(library):
    """Answer requests, one JSON line each: a family, a number and a seed, by which clock and for how many seconds to measure it."""
    module = load(library)
    # One step for all rounds, as in a training loop: whygrad looks closely at the gradients of a line's first calls, and explains zeros.
    step_of = functools.cache(lambda *program: draw(*program).step(library, module))
    for line in sys.stdin:
        *program, clock, seconds = json.loads(line)
        step = step_of(*program)
        time_of = None if step is None else best_time(step, CLOCKS[clock], seconds)
        print(json.dumps(time_of), flush=True)


class Worker:
    """A process that measures programs of one library."""

    def __init__(self, library, source, threads):
        environment = {
            **os.environ,
            "PYTHONPATH": str(source),
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "CUDA_VISIBLE_DEVICES": "-1",
        }
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "TF_NUM_INTRAOP_THREADS"):
            environment[name] = str(threads)
        command = [sys.executable, HERE / "families.py", "--serve", library]
        self.process = subprocess.Popen(
            command,
            env=environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def measure(self, *request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        return json.loads(answer) if answer else None

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def workers(options):
    source = HERE.parent / "src"
    libraries = {"whygrad": ("whygrad", source)}
    if options.against:
        libraries[OTHER] = ("whygrad", pathlib.Path(options.against) / "src")
    for peer in () if options.against else options.peers:
        if importlib.util.find_spec(peer) is None:
            print(f"{peer} is not installed: left out", file=sys.stderr)
        else:
            libraries[peer] = (peer, source)
    return {name: Worker(*each, options.threads) for name, each in libraries.items()}


def measure_family(processes, family, options):
    """The best time of each library for each program."""
    best = [{} for _ in range(options.count)]
    for _ in range(options.rounds):
        for number, found in enumerate(best):
            for library, process in processes.items():
                value = process.measure(family, number, options.seed, options.clock, options.seconds)
                if value is not None:
                    found[library] = min(value, found.get(library, value))
    return best


def table(family, best, seed):
    """Ratios of whygrad's time to each peer's, as Markdown: the geometric mean, the worst, and each program."""
    peers = [peer for peer in best[0] if peer != "whygrad"]
    lines = [f"| {family} | whygrad, us | " + " | ".join(peers) + " |", "|---" * (len(peers) + 2) + "|"]
    ratios = {peer: [found["whygrad"] / found[peer] for found in best if peer in found] for peer in peers}
    means = [f"{math.exp(sum(map(math.log, ratios[peer])) / len(ratios[peer])):.2f}" for peer in peers]
    worst = [f"{max(ratios[peer]):.2f}" for peer in peers]
    lines.append("| **geometric mean** | | " + " | ".join(means) + " |")
    lines.append("| **worst** | | " + " | ".join(worst) + " |")
    for number, found in enumerate(best):
        cells = [f"{found['whygrad'] / found[peer]:.2f}" if peer in found else "" for peer in peers]
        words = draw(family, number, seed).words.partition(": ")[2]
        lines.append(f"| {words} | {found['whygrad'] * 1e6:,.0f} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def kernels():
    """What holds NumPy's products, and no other library's, to a kind of processor."""
    chosen = os.environ.get("OPENBLAS_CORETYPE")
    return f", OPENBLAS_CORETYPE={chosen} for NumPy" if chosen else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    parser.add_argument(
        "--against", metavar="TREE", help="the folder of another tree of whygrad, in place of the peers"
    )
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=COUNT, help="programs in each family")
    parser.add_argument("--seed", type=int, default=SEED, help="another one draws other programs")
    parser.add_argument(
        "--clock", choices=CLOCKS, default="wall", help="processor time on a busy machine, with one thread"
    )
    parser.add_argument("--seconds", type=float, default=0.1, help="for each measurement, about")
    parser.add_argument("--threads", type=int, default=2, help="for each library")
    parser.add_argument("--list", action="store_true", help="only print the programs in words")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return
    if options.list:
        for family in options.only:
            for number in range(options.count):
                print(draw(family, number, options.seed).words)
        return
    with contextlib.ExitStack() as stack:
        print(f"seed {options.seed}, {options.rounds} rounds, {options.threads} threads{kernels()}\n", flush=True)
        processes = workers(options)
        for process in processes.values():
            stack.callback(process.close)
        for family in options.only:
            print(table(family, measure_family(processes, family, options), options.seed) + "\n", flush=True)


if __name__ == "__main__":
    main()
