"""Parts of one computation in several threads."""

import functools
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import whygrad as tf
from whygrad.engines import workers
from whygrad.engines.numpy import engine


@pytest.fixture
def three():
    """So many threads, whatever the machine has."""
    workers.set_limit(3)
    yield
    workers.set_limit(0)


def test_all_parts_are_done_when_it_returns(three):
    out = np.zeros(100)
    workers.run([functools.partial(out.__setitem__, i, i) for i in range(100)])
    assert (out == np.arange(100)).all()


def test_other_threads_take_parts(three):
    both = threading.Barrier(2, timeout=600)  # passed only if two threads are in it at once
    seen = []

    def part():
        both.wait()
        seen.append(threading.get_ident())

    workers.run([part, part])
    assert len(set(seen)) == 2


def test_an_exception_in_one_part_is_raised(three):
    def wrong():
        raise MemoryError("no room")

    def right():
        done.append(1)

    done = []
    for parts in ([wrong, right], [right, wrong], [wrong, wrong]):
        with pytest.raises(MemoryError, match="no room"):
            workers.run(parts)
    workers.run([right, right])  # and the next computation goes on as ever
    assert done[-2:] == [1, 1]


def test_the_threads_are_not_the_programs_own(three):
    before = set(threading.enumerate())
    workers.run([lambda: None] * 8)
    assert set(threading.enumerate()) <= before


def test_calls_from_several_threads_at_once(three):
    x = np.linspace(-3, 3, 1 << 19)
    wanted, found = np.tanh(x), {}
    threads = [threading.Thread(target=lambda i=i: found.__setitem__(i, engine.tanh(x))) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all((each == wanted).all() for each in found.values())


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("name", ["exp", "tan", "tanh", "log1p"])
def test_large_arrays_give_the_same_results_as_numpy(name, dtype, three):
    x = np.linspace(0.1, 2, (1 << 18) + 5).astype(dtype)
    made = getattr(engine, name)(x)
    assert made.dtype == dtype
    assert (made == getattr(np, name)(x)).all()
    turned = x[: 1 << 18].reshape(512, 512).T
    assert (getattr(engine, name)(turned) == getattr(np, name)(turned)).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", ["sigmoid", "softplus"])
def test_parts_of_functions_of_several_steps_are_equal_bit_by_bit(name, dtype, three):
    """Large arrays are computed in the memory of the result, small ones in new memory."""
    kernel = getattr(engine, name)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1000.0, -1000.0, 89.0, -89.0, 6e-8, -6e-8]
    x = np.concatenate([special, np.random.default_rng(0).normal(size=1 << 18) * 10]).astype(dtype)
    found = getattr(tf.nn, name)(x).numpy()
    with np.errstate(all="ignore"):
        wanted = kernel.of_few(x)
        turned = x[: 1 << 18].reshape(512, 512).T
        assert kernel(turned).tobytes() == kernel.of_few(turned).tobytes()
    assert found.dtype == dtype
    assert found.tobytes() == wanted.tobytes()


def test_floating_point_errors_are_silent_in_all_threads(three):
    x = tf.constant(np.full(1 << 19, 1000.0, np.float32))
    assert np.isinf(tf.exp(x)).all()  # a warning would be an error here


def test_results_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(24, 28, 28, 8)).astype(np.float32))
    w = tf.constant(rng.normal(size=(3, 3, 8, 16)).astype(np.float32))
    results = []
    for threads in (1, 2, 3):
        workers.set_limit(threads)
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.nn.max_pool2d(tf.nn.conv2d(x, w, 1, "SAME"), 2, 2, "VALID")
        results.append([y, *tape.gradient(y, [x, w])])
    workers.set_limit(0)
    for others in results[1:]:
        assert all((a.numpy() == b.numpy()).all() for a, b in zip(results[0], others))


def _limit_in_a_new_process(code="", **environment):
    program = f"from whygrad.engines import workers\n{code}\nprint(workers.limit())"
    run = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return int(run.stdout)


def test_the_environment_sets_the_number_of_threads():
    assert _limit_in_a_new_process(OMP_NUM_THREADS="1") == 1
    assert _limit_in_a_new_process(OMP_NUM_THREADS="3,2") == 3
    assert _limit_in_a_new_process(OMP_NUM_THREADS="3", WHYGRAD_NUM_THREADS="2") == 2


def test_config_sets_the_number_of_threads():
    tf.config.threading.set_intra_op_parallelism_threads(5)
    assert tf.config.threading.get_intra_op_parallelism_threads() == workers.limit() == 5
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert tf.config.threading.get_intra_op_parallelism_threads() == 0


def test_a_forked_child_computes_alone():
    code = """
import os, numpy as np, warnings
from whygrad.engines.numpy import engine
workers.set_limit(3)
x = np.linspace(0, 1, 1 << 19)
engine.tanh(x)
read, write = os.pipe()
warnings.simplefilter("ignore")
if not os.fork():
    os.write(write, b"%d %d" % (workers.limit(), (engine.tanh(x) == np.tanh(x)).all()))
    os._exit(0)
os.wait()
assert os.read(read, 100) == b"1 1"
"""
    assert _limit_in_a_new_process(code) == 3
