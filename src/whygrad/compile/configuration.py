"""Settings for functions and execution. Those that have no effect here are accepted and remembered."""

from __future__ import annotations

from whygrad._public import export
from whygrad.compile.function import settings


@export("config.run_functions_eagerly", "config.experimental_run_functions_eagerly")
def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made with `tf.function` run as plain Python.

    >>> import whygrad as tf
    >>> tf.config.run_functions_eagerly(True)
    >>> tf.config.functions_run_eagerly()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    settings.run_eagerly = bool(run_eagerly)


@export("config.functions_run_eagerly", "config.experimental_functions_run_eagerly")
def functions_run_eagerly() -> bool:
    """What `run_functions_eagerly` set.

    >>> import whygrad as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return settings.run_eagerly


class _Remembered:
    """Settings that have no effect, kept for the functions that return them."""

    jit = ""
    inter_op_threads = 0
    tensor_float_32 = True
    synchronous = True
    device_policy = "silent"
    log_device_placement = False
    traceback_filtering = True
    optimizer_options: dict[str, bool] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


_remembered = _Remembered()


@export("config.threading.get_inter_op_parallelism_threads")
def get_inter_op_parallelism_threads() -> int:
    """The value that `set_inter_op_parallelism_threads` set.

    >>> import whygrad as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    >>> tf.config.threading.get_inter_op_parallelism_threads()
    0
    """
    return _remembered.inter_op_threads


@export("config.threading.set_inter_op_parallelism_threads")
def set_inter_op_parallelism_threads(num_threads: int) -> None:
    """Remember the number of threads that run independent ops; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.threading.set_inter_op_parallelism_threads(0)
    """
    _remembered.inter_op_threads = num_threads


@export("config.optimizer.get_jit")
def get_jit() -> str:
    """The value that `set_jit` set.

    >>> import whygrad as tf
    >>> tf.config.optimizer.get_jit()
    ''
    """
    return _remembered.jit


@export("config.optimizer.set_jit")
def set_jit(enabled: bool | str) -> None:
    """Remember whether functions are clustered for XLA; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.optimizer.set_jit(False)
    """
    _remembered.jit = enabled if isinstance(enabled, str) else "autoclustering" if enabled else ""


@export("config.optimizer.get_experimental_options")
def get_experimental_options() -> dict[str, bool]:
    """The value that `set_experimental_options` set.

    >>> import whygrad as tf
    >>> tf.config.optimizer.get_experimental_options()
    {'disable_model_pruning': False, 'disable_meta_optimizer': False}
    """
    return dict(_remembered.optimizer_options)


@export("config.optimizer.set_experimental_options")
def set_experimental_options(options: dict[str, bool]) -> None:
    """Remember options of the graph optimizer; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False})
    """
    _remembered.optimizer_options.update(options)


@export("config.experimental.tensor_float_32_execution_enabled")
def tensor_float_32_execution_enabled() -> bool:
    """The value that `enable_tensor_float_32_execution` set.

    >>> import whygrad as tf
    >>> tf.config.experimental.tensor_float_32_execution_enabled()
    True
    """
    return _remembered.tensor_float_32


@export("config.experimental.enable_tensor_float_32_execution")
def enable_tensor_float_32_execution(enabled: bool) -> None:
    """Remember whether GPUs may round float32 to TensorFloat-32; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.experimental.enable_tensor_float_32_execution(True)
    """
    _remembered.tensor_float_32 = enabled


@export("config.experimental.get_synchronous_execution")
def get_synchronous_execution() -> bool:
    """The value that `set_synchronous_execution` set.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_synchronous_execution()
    True
    """
    return _remembered.synchronous


@export("config.experimental.set_synchronous_execution")
def set_synchronous_execution(enable: bool) -> None:
    """Remember whether ops finish before they return; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.experimental.set_synchronous_execution(True)
    """
    _remembered.synchronous = enable


@export("config.experimental.get_device_policy")
def get_device_policy() -> str:
    """The value that `set_device_policy` set.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_device_policy()
    'silent'
    """
    return _remembered.device_policy


@export("config.experimental.set_device_policy")
def set_device_policy(device_policy: str) -> None:
    """Remember what happens when the inputs of an op are on different devices; it has no effect.

    >>> import whygrad as tf
    >>> tf.config.experimental.set_device_policy("silent")
    """
    _remembered.device_policy = device_policy


@export("debugging.set_log_device_placement")
def set_log_device_placement(enabled: bool) -> None:
    """Remember whether the device of each op is logged; it has no effect: `tensor.device` tells.

    >>> import whygrad as tf
    >>> tf.debugging.set_log_device_placement(False)
    """
    _remembered.log_device_placement = bool(enabled)


@export("debugging.get_log_device_placement")
def get_log_device_placement() -> bool:
    """The value that `set_log_device_placement` set.

    >>> import whygrad as tf
    >>> tf.debugging.get_log_device_placement()
    False
    """
    return _remembered.log_device_placement


@export("debugging.enable_traceback_filtering")
def enable_traceback_filtering() -> None:
    """Remember that tracebacks are shortened; it has no effect: `whygrad run` ends them at the user's own line.

    >>> import whygrad as tf
    >>> tf.debugging.enable_traceback_filtering()
    """
    _remembered.traceback_filtering = True


@export("debugging.disable_traceback_filtering")
def disable_traceback_filtering() -> None:
    """Remember that tracebacks are whole; it has no effect: `whygrad run` ends them at the user's own line.

    >>> import whygrad as tf
    >>> tf.debugging.disable_traceback_filtering()
    >>> tf.debugging.is_traceback_filtering_enabled()
    False
    >>> tf.debugging.enable_traceback_filtering()
    """
    _remembered.traceback_filtering = False


@export("debugging.is_traceback_filtering_enabled")
def is_traceback_filtering_enabled() -> bool:
    """Whether `enable_traceback_filtering` or `disable_traceback_filtering` was called last.

    >>> import whygrad as tf
    >>> tf.debugging.is_traceback_filtering_enabled()
    True
    """
    return _remembered.traceback_filtering
