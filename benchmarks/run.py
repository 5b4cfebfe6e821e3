"""Run all workloads on whygrad and its peers: hand-written NumPy, eager TensorFlow, PyTorch and autograd.

        python benchmarks/run.py                          build the peers' environments (once) and measure everything
        python benchmarks/run.py --peers numpy torch      measure only these peers and whygrad
        python benchmarks/run.py --only chain mlp         measure only these workloads
        python benchmarks/run.py --use torch=PYTHON       take a peer from an existing environment

Each measurement runs in its own process; each round visits all libraries in turn, and the best round counts. A peer that cannot be
installed is skipped. The results go to benchmarks/results.json and to the table in docs/performance.md, the plot (with matplotlib)
beside it.
"""

import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
REQUIREMENTS = {
    "whygrad": [str(ROOT)],
    "numpy": ["numpy"],
    "torch": ["torch", "numpy"],
    "tensorflow": ["tensorflow"],
    "autograd": ["autograd"],
    "whygrad_function": [f"{ROOT}[xla]"],
    "jax": ["jax"],
    "tensorflow_function": ["tensorflow"],
    "tensorflow_jit": ["tensorflow"],
}
NAMES = {
    "whygrad": "whygrad",
    "numpy": "NumPy by hand",
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "autograd": "autograd",
    "whygrad_function": "whygrad.function",
    "jax": "JAX by hand, jitted",
    "tensorflow_function": "tf.function",
    "tensorflow_jit": "tf.function, jit_compile",
}
EAGER = ("whygrad", "numpy", "torch", "tensorflow", "autograd")
COMPILED = ("whygrad_function", "jax", "tensorflow_function", "tensorflow_jit")

# For each workload: its name in the table, the unit, and how many seconds or bytes one unit is.
WORKLOADS = {
    "chain": ("chain of 150 ops on (8, 8), forward and backward, an op", "us", 150e-6),
    "mlp": ("training step 784-128-10, batch 64", "us", 1e-6),
    "line": ("5 ops on 1,000,000 elements, forward and backward", "ms", 1e-3),
    "rows_500": ("loop over 500 rows, each sliced, squared, summed", "ms", 1e-3),
    "rows_2000": ("loop over 2,000 rows", "ms", 1e-3),
    "scalars_20k": ("20,000 scalar ops", "ms", 1e-3),
    "scalars_1m": ("1,000,000 scalar ops", "ms", 1e-3),
    "record_memory": ("memory of a record", "bytes", 1),
    "gather": ("64 rows of a 300,000 x 16 table", "us", 1e-6),
    "jacobian": ("jacobian 32 -> 32", "us", 1e-6),
    "second_order": ("gradient of a gradient", "us", 1e-6),
    "convolution": ("convolution step", "ms", 1e-3),
    "attention": ("attention step", "ms", 1e-3),
    "deep_memory": ("peak memory, 50 layers of 1024, batch 256", "MB", 1e6),
    "import": ("import", "ms", 1e-3),
    "first_gradient": ("a program that takes one gradient, from its start", "ms", 1e-3),
    "install_size": ("installed size, with what it requires", "MB", 1e6),
    "compiled_chain": ("chain of 150 ops on (8, 8), with update", "us", 1e-6),
    "compiled_mlp": ("training step 784-128-10, batch 64", "us", 1e-6),
    "compiled_cnn": ("convolution step, with update", "us", 1e-6),
    "compiled_attention": ("attention step, with update", "us", 1e-6),
    "compiled_line": ("5 ops on 1,000,000 elements, with update", "ms", 1e-3),
}
GROWTH = ("loop: 2,000 rows cost, times 500 rows", "rows_2000", "rows_500")
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "TF_NUM_INTRAOP_THREADS",
    "TF_NUM_INTEROP_THREADS",
)
ONCE = ("install_size", "deep_memory", "record_memory", "scalars_1m")  # deterministic, or slow


def environment(library, cache):
    """Return the interpreter of the library's environment, creating it if needed; None if the installation fails."""
    folder = cache / library.replace("tensorflow_function", "tensorflow").replace("tensorflow_jit", "tensorflow")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not library.startswith("whygrad") and (folder / "complete").exists():
        return python
    print(f"installing {library} ...", file=sys.stderr)
    if not python.exists():
        venv.create(folder, with_pip=True)
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", *REQUIREMENTS[library]], capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(f"skipping {library}: {done.stderr.strip().splitlines()[-1]}", file=sys.stderr)
        return None
    (folder / "complete").touch()
    return python


def measure(python, library, workload, options):
    command = [python, HERE / "worker.py", library, workload, options.clock, str(options.seconds)]
    threads = {} if options.threads is None else dict.fromkeys(THREADS, str(options.threads))
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=options.timeout, check=False, env=os.environ | threads
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        print(f"{workload} failed on {library}: {''.join(last)}", file=sys.stderr)
        return None
    return json.loads(done.stdout.strip().splitlines()[-1])["value"]


def measure_all(pythons, options):
    results = {workload: {} for workload in options.only or WORKLOADS}
    for turn in range(options.rounds):
        for workload, found in results.items():
            if turn and workload in ONCE:
                continue
            for library, python in pythons.items():
                if library not in (COMPILED if workload.startswith("compiled") else EAGER):
                    continue
                if turn and library not in found:
                    continue  # no such workload, or it failed
                value = measure(python, library, workload, options)
                if value is not None:
                    found[library] = min(value, found.get(library, value))
            print(f"round {turn + 1}: {workload} {found}", file=sys.stderr)
    return results


def table(results, libraries):
    """Return the results as Markdown; a peer's figure is followed by its ratio to the first library's."""
    lines = [
        "| workload | " + " | ".join(NAMES[each] for each in libraries) + " |",
        "|---" * (len(libraries) + 1) + "|",
    ]
    for workload, found in results.items():
        name, unit, scale = WORKLOADS[workload]
        cells = []
        for library in libraries:
            value, ours = found.get(library), found.get(libraries[0])
            cell = "" if value is None else f"{value / scale:,.{2 if value / scale < 10 else 0}f}"
            if value is not None and library != libraries[0] and ours:
                cell += f" ({value / ours:.2f})"
            cells.append(cell)
        lines.append(f"| {name}, {unit} | " + " | ".join(cells) + " |")
        if workload == GROWTH[1] and GROWTH[2] in results:
            few = results[GROWTH[2]]
            growth = [f"{found[each] / few[each]:.2f}" if each in found and each in few else "" for each in libraries]
            lines.append(f"| {GROWTH[0]} | " + " | ".join(growth) + " |")
    return "\n".join(lines)


def plot(results, libraries, path):
    """Draw the ratio of each peer's time to whygrad's as bars on a logarithmic axis. Without matplotlib, do nothing."""
    try:
        import matplotlib
    except ImportError:
        print("no plot: matplotlib is not installed", file=sys.stderr)
        return
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "whygrad", "svg.fonttype": "none"})
    from matplotlib import pyplot

    shown = [each for each, found in results.items() if "whygrad" in found and len(found) > 1][::-1]
    peers = [each for each in libraries if each != "whygrad"]
    figure, axes = pyplot.subplots(figsize=(9, 0.45 * len(shown) + 1.2))
    for i, peer in enumerate(peers):
        at = [
            (j, results[each][peer] / results[each]["whygrad"]) for j, each in enumerate(shown) if peer in results[each]
        ]
        offset = (i - (len(peers) - 1) / 2) * 0.8 / len(peers)
        axes.barh([j - offset for j, _ in at], [r - 1 for _, r in at], 0.8 / len(peers), left=1, label=NAMES[peer])
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(shown)), [WORKLOADS[each][0] for each in shown], fontsize=8)
    axes.set_xlabel("times whygrad's figure (to the right of 1: whygrad needs less)")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def write_document(text, path, name):
    """Write a table between its markers in the document."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    document = path.read_text(encoding="utf-8")
    before, rest = document.split(begin)
    path.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers = [each for each in REQUIREMENTS if not each.startswith("whygrad")]
    parser.add_argument("--peers", nargs="*", default=peers, choices=peers)
    parser.add_argument("--only", nargs="*", choices=WORKLOADS)
    parser.add_argument("--use", nargs="*", default=[], metavar="LIBRARY=PYTHON")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0, help="approximate time per measurement")
    parser.add_argument("--timeout", type=float, default=120.0, help="of a measurement; slower ones are skipped")
    parser.add_argument("--clock", choices=("wall", "process", "thread"), default="wall")
    parser.add_argument("--threads", type=int, help="threads per library (default: its own choice)")
    default_cache = (
        pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "whygrad-benchmarks"
    )
    parser.add_argument("--cache", type=pathlib.Path, default=default_cache, help="directory for the environments")
    parser.add_argument(
        "--no-document", action="store_true", help="do not write docs/performance.md, its plot and results.json"
    )
    options = parser.parse_args()

    given = dict(each.split("=", 1) for each in options.use)
    wanted = [each for each in REQUIREMENTS if each.startswith("whygrad") or each in options.peers]
    if options.only:
        groups = [COMPILED if each.startswith("compiled") else EAGER for each in options.only]
        wanted = [each for each in wanted if any(each in group for group in groups)]
    pythons = {each: given.get(each) or environment(each, options.cache) for each in wanted}
    pythons = {library: python for library, python in pythons.items() if python is not None}
    results = measure_all(pythons, options)
    eager = {each: found for each, found in results.items() if not each.startswith("compiled")}
    compiled = {each: found for each, found in results.items() if each.startswith("compiled")}
    tables = {
        "table": table(eager, [each for each in EAGER if each in pythons]) if eager else "",
        "compiled table": table(compiled, [each for each in COMPILED if each in pythons]) if compiled else "",
    }
    print("\n\n".join(filter(None, tables.values())))
    if not options.no_document:
        about = {
            "machine": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
        }
        about |= {"clock": options.clock, "rounds": options.rounds, "threads": options.threads}
        (HERE / "results.json").write_text(json.dumps({"about": about, "results": results}, indent=1) + "\n")
        for name, text in tables.items():
            if text:
                write_document(text, ROOT / "docs" / "performance.md", name)
        if eager:
            plot(eager, [each for each in EAGER if each in pythons], ROOT / "docs" / "performance.svg")


if __name__ == "__main__":
    main()
