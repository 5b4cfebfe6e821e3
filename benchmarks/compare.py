"""Compare this tree with another revision of whygrad, to see whether a change made it slower.

        python benchmarks/compare.py main~20                   all eager and compiled workloads that run in this environment
        python benchmarks/compare.py v0.1 --only chain mlp     only these workloads
        python benchmarks/compare.py SOURCE_FOLDER             an existing source tree

Both run in the interpreter of this script, alternating, each measurement in its own process; the best round counts. The table shows
both figures and their ratio: above 1, this tree is slower.
"""

import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

from run import HERE, ROOT, WORKLOADS, measure

LEFT_OUT = ("install_size",)  # belongs to an installed package, not to a tree


@contextlib.contextmanager
def source_of(revision):
    """The `src` folder of a tree, or of a revision that is checked out temporarily."""
    tree = pathlib.Path(revision)
    if (tree / "src" / "whygrad").is_dir():
        yield tree / "src"
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tree"
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", tree, revision], check=True)
        try:
            yield tree / "src"
        finally:
            subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", tree], check=True)


def measure_both(sources, workload, options):
    """The best figure of each source tree, over alternating rounds."""
    library = "whygrad_function" if workload.startswith("compiled") else "whygrad"
    best = {}
    for turn in range(options.rounds):
        for name in sources if turn % 2 else reversed(sources):
            os.environ["PYTHONPATH"] = str(sources[name])
            value = measure(sys.executable, library, workload, options)
            if value is not None:
                best[name] = min(value, best.get(name, value))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", help="a revision of this repository, or the folder of another tree")
    parser.add_argument(
        "--only", nargs="*", choices=WORKLOADS, default=[each for each in WORKLOADS if each not in LEFT_OUT]
    )
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each measurement, about")
    parser.add_argument("--timeout", type=float, default=120.0)
    parser.add_argument("--clock", choices=("wall", "process", "thread"), default="wall")
    parser.add_argument("--threads", type=int, help="how many each may use; as it likes, if not given")
    options = parser.parse_args()
    with source_of(options.revision) as before:
        sources = {"before": before, "now": HERE.parent / "src"}
        print(f"| workload | {options.revision} | this tree | ratio |\n|---|---|---|---|")
        for workload in options.only:
            best = measure_both(sources, workload, options)
            if len(best) == len(sources):
                name, unit, scale = WORKLOADS[workload]
                shown = " | ".join(f"{best[each] / scale:,.2f}" for each in sources)
                print(f"| {name}, {unit} | {shown} | {best['now'] / best['before']:.3f} |", flush=True)


if __name__ == "__main__":
    main()
