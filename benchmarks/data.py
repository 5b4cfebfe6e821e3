"""Datasets beside TensorFlow's tf.data: the time of one iteration, best of several, taken in turn.

    python benchmarks/data.py [--rounds 5] [--only images] [--without-tensorflow]

Expected: whygrad takes at most as long as TensorFlow. Each library runs in a process of its own, so that neither's threads disturb the
other's, and the rounds of the two alternate.
"""

import argparse
import importlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

SCALARS = 1_000_000
BATCH = 128
MAPPED = 20_000
IMAGES = 64
THREADS = 2
LIBRARIES = ("whygrad", "tensorflow")


def scalars(tf: Any, folder: pathlib.Path) -> Callable[[], object]:
    """A million scalars in batches."""
    dataset = tf.data.Dataset.from_tensor_slices(np.arange(SCALARS, dtype=np.float32)).batch(BATCH)
    return lambda: sum(1 for _ in dataset)


def numbers(tf: Any, folder: pathlib.Path) -> Callable[[], object]:
    """A million numbers of a range in batches."""
    dataset = tf.data.Dataset.range(SCALARS).batch(BATCH)
    return lambda: sum(1 for _ in dataset)


def shuffled(tf: Any, folder: pathlib.Path) -> Callable[[], object]:
    """A tenth as many pairs in random order, in batches."""
    rows = np.arange(SCALARS // 10, dtype=np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((rows, rows)).shuffle(10_000, seed=1).batch(BATCH)
    return lambda: sum(1 for _ in dataset)


def mapped(tf: Any, folder: pathlib.Path) -> Callable[[], object]:
    """A small function of each element, then batches."""
    rows = np.ones((MAPPED, 8), np.float32)
    dataset = tf.data.Dataset.from_tensor_slices(rows).map(lambda x: x * 2.0 + 1.0).batch(BATCH)
    return lambda: sum(1 for _ in dataset)


def images(tf: Any, folder: pathlib.Path) -> Callable[[], object]:
    """JPEG files decoded and resized by two threads, then batches."""

    def read(path: Any) -> Any:
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        return tf.image.resize(image, [160, 160])

    paths = sorted(str(path) for path in folder.glob("*.jpg"))
    dataset = tf.data.Dataset.from_tensor_slices(paths).map(read, num_parallel_calls=THREADS).batch(16)
    return lambda: sum(1 for _ in dataset)


WORKLOADS = {each.__name__: each for each in (scalars, numbers, shuffled, mapped, images)}


def make_images(folder: pathlib.Path, count: int = IMAGES, size: tuple[int, int] = (480, 640)) -> None:
    """Write smooth pictures as JPEG files."""
    from PIL import Image

    rows, columns = np.mgrid[: size[0], : size[1]]
    for i in range(count):
        waves = [np.sin(rows / (7 + i)) + np.cos(columns / (11 + k)) for k in range(3)]
        pixels = (np.stack(waves, -1) * 60 + 128).astype(np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=90)
        (folder / f"{i:03}.jpg").write_bytes(file.getvalue())


def worker(library: str, folder: str) -> None:
    """Run the workloads that are asked for, line by line, and say how long each took."""
    tf = importlib.import_module(library)
    made: dict[str, Callable[[], object]] = {}
    for line in sys.stdin:
        name = line.strip()
        if name not in made:
            made[name] = WORKLOADS[name](tf, pathlib.Path(folder))
            made[name]()
        start = time.perf_counter()
        made[name]()
        print(json.dumps(time.perf_counter() - start), flush=True)


class Worker:
    """A process that runs one library."""

    def __init__(self, library: str, folder: str) -> None:
        command = [sys.executable, __file__, "--worker", library, "--folder", folder]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def seconds(self, name: str) -> float:
        """How long one iteration takes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()
        return float(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def measure(
    rounds: int, libraries: tuple[str, ...], workloads: Sequence[str] = tuple(WORKLOADS)
) -> dict[str, dict[str, float]]:
    """The best time of each workload with each library."""
    with tempfile.TemporaryDirectory() as folder:
        make_images(pathlib.Path(folder))
        workers = {library: Worker(library, folder) for library in libraries}
        try:
            found: dict[str, dict[str, float]] = {}
            for name in workloads:
                times: dict[str, list[float]] = {library: [] for library in libraries}
                for _ in range(rounds):
                    for library in libraries:
                        times[library].append(workers[library].seconds(name))
                found[name] = {library: min(each) for library, each in times.items()}
            return found
        finally:
            for each in workers.values():
                each.close()


def main() -> int:
    """Print a table; the exit status is 1 where whygrad takes longer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=WORKLOADS, default=list(WORKLOADS))
    parser.add_argument("--without-tensorflow", action="store_true")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        worker(options.worker, options.folder)
        return 0
    libraries = LIBRARIES[:1] if options.without_tensorflow else LIBRARIES
    found = measure(options.rounds, libraries, options.only)
    slower = 0
    for name, times in found.items():
        shown = "  ".join(f"{library} {seconds * 1e3:9.1f} ms" for library, seconds in times.items())
        ratio = times["tensorflow"] / times["whygrad"] if "tensorflow" in times else float("nan")
        slower += ratio < 1
        print(f"{name:10} {shown}  {ratio:6.2f} times as fast")
    return int(slower > 0)


if __name__ == "__main__":
    sys.exit(main())
