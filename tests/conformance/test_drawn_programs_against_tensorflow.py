"""Random programs: values and gradients are TensorFlow's, None where its are, sparse where its are.

python -m tests.conformance.test_drawn_programs_against_tensorflow --programs 100000 --seed 1    # a long run, with a summary
"""

import argparse
import collections
import dataclasses
import json
import multiprocessing
import pathlib
import sys
import time
import traceback
import warnings

import pytest

import whygrad
from tests.conformance.conftest import prepare_tensorflow
from tests.support.drawn import TOLERANCE, Program, as_arrays, differences, error, have_same_form

pytestmark = pytest.mark.tensorflow

GROUPS, PROGRAMS = 12, 60  # so many tests, of so many programs each
PROCESS, PART = 20_000, 500  # programs to a process in a long run, and to a line of its log
DOUBLE = {"float16": "float64", "bfloat16": "float64", "float32": "float64", "complex64": "complex128"}


class Verdict:
    """How a program ended, in whygrad and in TensorFlow."""

    def __init__(self, real_tf, seed, data=0):
        self.tf, self.seed, self.data = real_tf, seed, data
        theirs = Program(real_tf, seed, data=data)
        self.faults = []
        self.names = theirs.names
        self.refused = None  # by TensorFlow, which has no gradient for some op
        try:
            expected = as_arrays(real_tf, theirs.run())
        except Exception as error:
            self.refused = error
            return
        self.without = theirs.refused
        self.dtype, self.tolerance = theirs.dtype, theirs.tolerance
        ours = Program(whygrad, seed, data=data, without=theirs.refused)
        try:
            found = as_arrays(whygrad, ours.run())
        except Exception as error:
            self.faults = [("raises", 0, "".join(traceback.format_exception(error)[-3:]))]
            return
        if ours.refused:
            self.faults = [("refuses", number, repr(each)) for number, each in ours.refused.items()]
            return
        self.faults = differences(found, expected, theirs.tolerance)
        if self.faults and self.dtype in DOUBLE:
            self.faults = self._not_of_rounding(found, expected)

    def _not_of_rounding(self, found, expected):
        """The differences that remain in double precision, or that are much larger than TensorFlow's own error."""
        dtype = DOUBLE[self.dtype]
        exact, ours = (
            as_arrays(tf, Program(tf, self.seed, dtype, self.without, self.data).run()) for tf in (self.tf, whygrad)
        )
        wrong = differences(ours, exact, TOLERANCE[dtype])
        remaining = []
        for fault in self.faults:
            name, i, _ = fault
            trio = [table[name][i] for table in (found, expected, exact) if 0 <= i < len(table[name])]
            explained = len(trio) == 3 and have_same_form(*trio[:2]) and trio[2] is not None
            if explained and not wrong:
                ours, theirs = (error(each[0], trio[2][0]) for each in trio[:2])
                explained = ours <= 10.0 * theirs + self.tolerance
            if wrong or not explained:
                remaining.append(fault)
        return remaining

    def elsewhere(self):
        """Whether the same program on other numbers is at fault too: if not, two libraries may round to two sides of a corner."""
        return any(Verdict(self.tf, self.seed, data).faults for data in (1, 2, 3))

    def __str__(self):
        return f"seed {self.seed} {self.dtype} {self.names}\n" + "\n".join(f"    {each}" for each in self.faults)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("group", range(GROUPS))
def test_drawn_programs(real_tf, group):
    for seed in range(group * PROGRAMS, (group + 1) * PROGRAMS):
        verdict = Verdict(real_tf, seed)
        assert not verdict.faults, str(verdict)


def main(arguments=None):
    """Run many programs in few processes: a process is slow at first, and TensorFlow ends its own where a check of its kernels fails."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0, help="the first one is this million")
    parser.add_argument("--log", type=pathlib.Path, help="a line for each part; a run goes on after the last one there")
    options = parser.parse_args(arguments)
    begun, first = time.time(), options.seed * 1_000_000
    total = Part(first, first)
    for part in parts(options.log, options.seed):
        total.add(part)
    while total.end < first + options.programs:
        process_end = min(total.end + PROCESS, first + options.programs)
        for part in run_process(range(total.end, process_end)):
            if options.log:
                with options.log.open("a") as log:
                    log.write(json.dumps(dataclasses.asdict(part)) + "\n")
            total.add(part)
            print(total, f"{time.time() - begun:.0f} s", flush=True)
    if options.log:
        every = parts(options.log)
        print(
            f"all seeds of {options.log}:",
            sum((collections.Counter(part.counts) for part in every), collections.Counter()),
        )
    return int(bool(total.counts.get("at fault")))


@dataclasses.dataclass
class Part:
    """What became of the programs of the seeds from `first` to `end`."""

    first: int
    end: int
    counts: dict[str, int] = dataclasses.field(default_factory=dict)
    steps: list[str] = dataclasses.field(default_factory=list)  # kinds of steps

    def add(self, other):
        self.end = other.end
        self.counts = dict(collections.Counter(self.counts) + collections.Counter(other.counts))
        self.steps = sorted({*self.steps, *other.steps})

    def add_program(self, seed, names, found):
        self.add(Part(seed, seed + 1, dict.fromkeys(found, 1), names))

    def __str__(self):
        return f"{self.end - self.first} {self.counts} {len(self.steps)} kinds of steps"


def parts(log, seed=None):
    """The parts in the log of a long run: of one seed, or all of them."""
    lines = log.read_text().splitlines() if log and log.exists() else []
    every = [Part(**json.loads(line)) for line in lines]
    return [part for part in every if seed is None or part.first // 1_000_000 == seed]


def run_process(seeds):
    """Compare the programs of these seeds in a process of their own; what was done, part by part, also if it ends early."""
    processes = multiprocessing.get_context("spawn")
    reports = processes.SimpleQueue()
    process = processes.Process(target=_compare, args=(seeds, reports))
    process.start()
    reports._writer.close()  # so that reading ends with the process
    part, running = Part(seeds.start, seeds.start), None
    try:
        while True:
            seed, names, found = reports.get()
            running = seed if found is None else None
            if found is None:  # it begins
                continue
            part.add_program(seed, names, found)
            if part.end - part.first == PART:
                yield part
                part = Part(part.end, part.end)
    except EOFError:
        process.join()
    if running is not None:
        print(f"seed {running} ended the process with {process.exitcode}", flush=True)
        part.add_program(running, [], ["ended by TensorFlow"])
    if part.end > part.first:
        yield part


def _compare(seeds, reports):
    """Run the programs of some seeds, and report before and after each one."""
    warnings.simplefilter("ignore")
    prepare_tensorflow()
    import tensorflow as real_tf

    real_tf.get_logger().setLevel("ERROR")
    real_tf.config.threading.set_intra_op_parallelism_threads(1)  # arrays are small
    real_tf.config.threading.set_inter_op_parallelism_threads(1)
    for seed in seeds:
        reports.put((seed, [], None))
        verdict = Verdict(real_tf, seed)
        found = ["refused by TensorFlow" if verdict.refused else "compared"]
        if verdict.faults:
            found.append("at fault" if verdict.elsewhere() else "at fault for some numbers")
            print(found[-1], verdict, flush=True)
        reports.put((seed, verdict.names, found))


if __name__ == "__main__":
    sys.exit(main())
