"""Processes that compute together, on one machine or many: started through JAX's runtime, and monitored while they run.

When a process dies, the others wait for its part of a sum forever, or JAX ends them with a stack trace of its own. So a thread asks
JAX's coordination service which processes are alive, every wait can be interrupted, and a lost process raises an error that names it.
"""

from __future__ import annotations

import atexit
import concurrent.futures
import contextlib
import faulthandler
import json
import os
import socket
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from whygrad._public import export
from whygrad.engines import loading
from whygrad.runtime.signals import end_with_python, hold_aborts
from whygrad.values.errors import DeadlineExceededError, OpError, OpRuntimeError, OpValueError, UnavailableError

_PERIOD = 0.5  # seconds between two checks for lost processes
_PATIENCE = 5.0  # seconds that a call into the runtime may continue once a process is known to be lost


@export("distribute.ProcessLostError")
class ProcessLostError(UnavailableError):
    """Another process, without which this one cannot continue, is lost.

    >>> import whygrad as tf
    >>> issubclass(tf.distribute.ProcessLostError, tf.errors.UnavailableError)
    True
    """


ProcessLostError.__module__ = "whygrad.distribute"


class Team:
    """The processes that compute together: only this one, until `start`."""

    def __init__(self) -> None:
        self.index = 0
        self.count = 1
        self.lost: str | None = None  # the sentence about lost processes
        self._present: set[int] = {0}
        self._heartbeat = 0.0
        self._address = ""
        self._is_leaving = False
        # Calls into the runtime that have not returned, by thread: their start times.
        self._calls: dict[int, float] = {}
        self._watcher: threading.Thread | None = None
        self._let_abort: Callable[[], None] = lambda: None  # sets the handler of SIGABRT back

    @property
    def is_started(self) -> bool:
        """Whether this is one of several processes."""
        return self._watcher is not None

    # -- start and stop --

    def start(
        self,
        coordinator_address: str | None,
        num_processes: int | None,
        process_id: int | None,
        local_device_ids: Any,
        initialization_timeout: int,
        heartbeat_timeout: int,
    ) -> None:
        """Connect to the other processes; from now on, JAX's devices are those of all processes."""
        if self.is_started:
            raise OpRuntimeError(
                f"distribute.initialize was already called: this is process {self.index} of {self.count}"
            )
        found = _from_environment()
        address = coordinator_address or found.get("coordinator_address")
        count = found.get("num_processes") if num_processes is None else num_processes
        index = found.get("process_id") if process_id is None else process_id
        if count is not None and index is not None and not 0 <= index < count:
            raise OpValueError(f"process_id must be one of 0 to {count - 1} for num_processes={count}, not {index}")
        jax = loading.engine().jax
        # Here and not in the thread that needs it: if the import failed there, losses would go unnoticed.
        from jax.experimental import multihost_utils

        jax.config.update("jax_enable_recoverability", True)  # otherwise JAX ends every process when one is lost
        jax.config.update("jax_enable_preemption_service", False)  # it would take over SIGTERM
        try:
            jax.distributed.initialize(
                address,
                count,
                index,
                local_device_ids,
                initialization_timeout=initialization_timeout,
                heartbeat_timeout_seconds=heartbeat_timeout,
            )
        except ValueError as error:
            raise OpValueError(
                f"distribute.initialize has no coordinator address: {error} Give coordinator_address, num_processes and "
                "process_id, or set JAX_COORDINATOR_ADDRESS, JAX_NUM_PROCESSES and JAX_PROCESS_ID, or TF_CONFIG."
            ) from None
        except RuntimeError as error:
            if "before" in str(error):
                raise OpRuntimeError(
                    "distribute.initialize must be the first thing that uses the devices: a compiled function, a device "
                    "or a strategy was used before it"
                ) from None
            raise DeadlineExceededError(
                None,
                None,
                f"process {index} of {count} could not connect to all others at {address} within {initialization_timeout} s: "
                f"{str(error).splitlines()[0]}. Are all {count} running, with the same address?",
            ) from None
        self.index, self.count = jax.process_index(), jax.process_count()
        self._address = address or ""
        self._heartbeat = float(heartbeat_timeout)
        self._present = set(range(self.count))
        self._watcher = threading.Thread(
            target=self._watch, args=(multihost_utils, jax.devices()), name="whygrad processes", daemon=True
        )
        if self.count > 1:
            self._let_abort = hold_aborts(self._is_loss)
            self._watcher.start()
        atexit.register(self._end)

    def stop(self, timeout: float) -> None:
        """Disconnect from the other processes, which must all do so."""
        if not self.is_started or self._is_leaving:
            return
        self.barrier("distribute.shutdown", timeout)
        self._leave(timeout)
        self._let_abort()

    def _leave(self, timeout: float) -> None:
        """Leave; the coordinating process leaves last, because the others' runtime ends with it."""
        self._is_leaving = True
        if self.index == 0 and self.count > 1:
            last = time.monotonic() + timeout
            while self._present != {0} and self.lost is None and time.monotonic() < last:
                time.sleep(0.02)
        loading.engine().jax.distributed.shutdown()

    def _end(self) -> None:
        """At exit: after an exception, exit at once, so that the others learn of it.

        The runtime may wait forever; then a C thread, which needs no Python, ends the process.
        """
        nowhere = open(os.devnull, "w")  # noqa: SIM115 - it must stay open
        if self.lost is not None:
            faulthandler.dump_traceback_later(_PATIENCE, exit=True, file=nowhere)
            end_with_python(loading.engine().jax.local_devices()[0].client)
        elif not self._is_leaving and getattr(sys, "last_value", None) is None:
            faulthandler.dump_traceback_later(self._heartbeat + _PATIENCE, exit=True, file=nowhere)
            self._leave(self._heartbeat)
            faulthandler.cancel_dump_traceback_later()

    # -- monitoring --

    def _watch(self, multihost_utils: Any, devices: list[Any]) -> None:
        failures = 0
        while self._present != {self.index}:
            try:
                with multihost_utils.live_devices(devices) as live:
                    self._present = {device.process_index for device in live}
            except multihost_utils.ProcessFailureError:
                continue  # the next check tells which processes are left
            except Exception as error:
                failures += 1
                if self._is_leaving or self._coordinator_is_gone():
                    return
                if failures * _PERIOD > self._heartbeat:
                    self._lose(f"the service at {self._address} no longer reports which processes are alive: {error}.")
                    return
                time.sleep(_PERIOD)
                continue
            failures = 0
            gone = sorted(set(range(self.count)) - self._present)
            if gone and not self._is_leaving:
                names = ", ".join(map(str, gone))
                self._lose(
                    f"process {names} of {self.count} is gone: it ended, was killed or lost its connection, and the service at "
                    f"{self._address} has not heard from it for up to {self._heartbeat:.0f} s."
                )
                return
            time.sleep(_PERIOD)

    def _coordinator_is_gone(self) -> bool:
        """Return whether the process that runs JAX's coordination service no longer answers."""
        host, _, port = self._address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=2).close()
        except OSError as error:
            self._lose(
                f"process 0 of {self.count}, which coordinates the others, is gone: {self._address} does not answer ({error})."
            )
            return True
        return False

    def _is_loss(self) -> bool:
        """Return whether an error in the runtime comes from a lost process; waits until that would be known."""
        last = time.monotonic() + self._heartbeat + 10 * _PERIOD
        while self.lost is None and not self._coordinator_is_gone() and time.monotonic() < last:
            time.sleep(_PERIOD)  # each check opens a connection
        return self.lost is not None

    def _lose(self, sentence: str) -> None:
        if self.lost is not None:
            return
        self.lost = (
            f"{sentence} The joint computation cannot continue without it. Restart all {self.count} processes and restore "
            "the last checkpoint (tf.train.latest_checkpoint): checkpoints are written atomically."
        )
        threading.Thread(target=self._end_calls, daemon=True).start()

    def _end_calls(self) -> None:
        """End the process if a call into the runtime never returns: no exception could reach the program."""
        known = time.monotonic()
        while True:
            time.sleep(0.1)
            now = time.monotonic()
            if any(now - max(since, known) > _PATIENCE for since in list(self._calls.values())):
                print(f"{ProcessLostError.__module__}.ProcessLostError: {self.lost}", file=sys.stderr, flush=True)
                os._exit(1)

    # -- waiting --

    def check(self) -> None:
        """Raise ProcessLostError if a process is gone."""
        if self.lost is not None:
            raise ProcessLostError(None, None, self.lost)

    @contextlib.contextmanager
    def calling(self) -> Iterator[None]:
        """Context for calls into the runtime that may wait for other processes."""
        if self.count == 1:
            yield
            return
        self.check()
        thread = threading.get_ident()
        self._calls[thread] = time.monotonic()
        try:
            yield
        except OpError:
            raise
        except Exception:  # probably from a broken connection, for which the transport has several classes
            if self._is_loss():
                self.check()
            raise
        finally:
            self._calls.pop(thread, None)

    def wait(self, is_done: Callable[[], bool], what: str = "", timeout: float | None = None) -> None:
        """Wait for something that needs the other processes too."""
        begin = time.monotonic()
        pause = 2e-5
        with self.calling():
            while not is_done():
                self.check()
                if timeout is not None and time.monotonic() - begin > timeout:
                    raise DeadlineExceededError(
                        None,
                        None,
                        f"process {self.index} of {self.count} waited {timeout:g} s at {what} for the others, which are alive but "
                        "do not reach the same call: all processes must make the same calls in the same order",
                    )
                time.sleep(pause)
                pause = min(2 * pause, 2e-3)

    def barrier(self, what: str, timeout: float) -> None:
        """Wait until all processes reach this point."""
        self.gather(0, what, timeout)

    def gather(self, number: int, what: str, timeout: float) -> list[int]:
        """Return each process's number, in order of the processes."""
        if self.count == 1:
            return [number]
        place = zlib.crc32(what.encode())
        # In a separate thread: the runtime may wait for the other processes before it returns.
        call = _in_thread(lambda: loading.engine().gather_numbers([place, number]))
        self.wait(call.done, what, timeout)
        with self.calling():
            places, numbers = call.result().T.tolist()
        if set(places) != {place}:
            elsewhere = ", ".join(str(i) for i, each in enumerate(places) if each != place)
            raise OpRuntimeError(
                f"process {self.index} of {self.count} is at {what}, but process {elsewhere} waits for the others at another "
                "call: all processes must make the same calls in the same order"
            )
        return list(numbers)

    def first(self, action: Callable[[], None], what: str, timeout: float = 300.0) -> None:
        """Run `action` in process 0 while the others wait; if it fails, it fails in all."""
        if self.count == 1:
            return action()
        failure: BaseException | None = None
        if self.index == 0:
            try:
                action()
            except BaseException as error:
                failure = error
        done = self.gather(int(failure is None), what, timeout)
        if failure is not None:
            raise failure
        if not done[0]:
            raise UnavailableError(
                None, None, f"{what} failed in process 0, which runs it for all processes: see the error there"
            )
        return None


team = Team()


def _in_thread(function: Callable[[], Any]) -> concurrent.futures.Future[Any]:
    """Call a function in a daemon thread."""
    future: concurrent.futures.Future[Any] = concurrent.futures.Future()

    def call() -> None:
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=call, daemon=True).start()
    return future


def _from_environment() -> dict[str, Any]:
    """Read the address and the process's number from JAX's variables, or TensorFlow's."""
    found: dict[str, Any] = {}
    config = json.loads(os.environ.get("TF_CONFIG") or "{}")
    workers = config.get("cluster", {}).get("worker", [])
    if workers:
        found = {
            "coordinator_address": workers[0],
            "num_processes": len(workers),
            "process_id": int(config.get("task", {}).get("index", 0)),
        }
    for name in ("num_processes", "process_id"):
        if (given := os.environ.get(f"JAX_{name.upper()}")) is not None:
            found[name] = int(given)
    if (address := os.environ.get("JAX_COORDINATOR_ADDRESS")) is not None:
        found["coordinator_address"] = address
    return found
