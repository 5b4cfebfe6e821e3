"""How long `import whygrad` takes beside `import numpy`: best of interleaved rounds, each in a fresh process.

python benchmarks/import_time.py [rounds]
"""

import os
import subprocess
import sys

# Bytecode is written, as pip does when it installs a package: compiling the sources is not what is measured.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

MODULES = ["numpy", "whygrad"]


def seconds(module: str) -> float:
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    return float(done.stdout)


def main(rounds: int = 15) -> None:
    best = dict.fromkeys(MODULES, float("inf"))
    for module in MODULES:
        seconds(module)  # the first import writes the bytecode
    for _ in range(rounds):
        for module in MODULES:
            best[module] = min(best[module], seconds(module))
    for module, time in best.items():
        print(f"import {module:8} {time * 1e3:7.1f} ms   {time / best['numpy']:.2f} x numpy")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
