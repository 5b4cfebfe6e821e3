"""`tf.config`: one CPU, and settings that programs make. What has no meaning here is accepted and remembered."""

from __future__ import annotations

import types
from typing import Any, NamedTuple

from whygrad.compile.function import settings as _functions
from whygrad.engines import loading as _xla
from whygrad.engines import workers as _workers
from whygrad.ops.random import require_seeds as _require_seeds
from whygrad.ops.scopes import soft_placement as _soft_placement
from whygrad.values.tensor import placement as _placement


class PhysicalDevice(NamedTuple):
    """A piece of hardware."""

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that values can be on."""

    name: str
    device_type: str


class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device is divided."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


class _Settings:
    """What was set, for the functions that ask."""

    jit = ""
    hidden: set[str] = set()  # the types of devices that are not used
    inter_op_threads = 0
    tensor_float_32 = True
    synchronous = True
    device_policy = "silent"
    optimizer_options: dict[str, bool] = {"disable_model_pruning": False, "disable_meta_optimizer": False}


_settings = _Settings()


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The hardware there is: the CPU, and what JAX can use where it is installed.

    >>> import whygrad as tf
    >>> tf.config.list_physical_devices("CPU")[0]
    PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')
    """
    return [
        PhysicalDevice(f"/physical_device:{kind}:{number}", kind)
        for kind, number in _devices()
        if device_type in (None, kind)
    ]


def _devices() -> list[tuple[str, int]]:
    """Kind and number of each device."""
    if not _xla.is_installed():
        return [("CPU", 0)]
    numbers: dict[str, int] = {}
    found = []
    for kind, _ in _xla.engine().devices():
        numbers[kind] = numbers.get(kind, -1) + 1
        found.append((kind, numbers[kind]))
    return found


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that values can be on, as `list_physical_devices`.

    >>> import whygrad as tf
    >>> tf.config.list_logical_devices("CPU")[0]
    LogicalDevice(name='/device:CPU:0', device_type='CPU')
    """
    return [
        LogicalDevice(f"/device:{kind}:{number}", kind) for kind, number in _devices() if device_type in (None, kind)
    ]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The hardware in use: all there is, but for what `set_visible_devices` hid.

    >>> import whygrad as tf
    >>> tf.config.get_visible_devices("CPU")[0].device_type
    'CPU'
    """
    return [each for each in list_physical_devices(device_type) if each.device_type not in _settings.hidden]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Use these devices of a type alone: with none of a GPU's, functions are compiled for the CPU.

    >>> import whygrad as tf
    >>> tf.config.set_visible_devices([], "GPU")
    """
    kinds = {each.device_type for each in list_physical_devices() if device_type in (None, each.device_type)} - {"CPU"}
    given = devices if isinstance(devices, list | tuple) else [devices]
    shown = {each.device_type for each in given}
    _settings.hidden = (_settings.hidden - kinds) | (kinds - shown)
    if kinds:
        cpus = [device for kind, device in _xla.engine().devices() if kind == "CPU"]
        _placement.device = cpus[0] if kinds <= _settings.hidden else None


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether functions made with `tf.function` run as plain Python.

    >>> import whygrad as tf
    >>> tf.config.run_functions_eagerly(True)
    >>> tf.config.functions_run_eagerly()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    _functions.run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """What `run_functions_eagerly` set.

    >>> import whygrad as tf
    >>> tf.config.functions_run_eagerly()
    False
    """
    return _functions.run_eagerly


experimental_run_functions_eagerly = run_functions_eagerly
experimental_functions_run_eagerly = functions_run_eagerly


def get_soft_device_placement() -> bool:
    """What `set_soft_device_placement` set.

    >>> import whygrad as tf
    >>> tf.config.get_soft_device_placement()
    True
    """
    return _soft_placement.allowed


def set_soft_device_placement(enabled: bool) -> None:
    """Whether values stay where they are if `tf.device` names a device that does not exist; otherwise that is an error.

    >>> import whygrad as tf
    >>> tf.config.set_soft_device_placement(True)
    """
    _soft_placement.allowed = bool(enabled)


def get_logical_device_configuration(device: PhysicalDevice) -> list[LogicalDeviceConfiguration] | None:
    """None: devices are not divided.

    >>> import whygrad as tf
    >>> tf.config.get_logical_device_configuration(tf.config.list_physical_devices()[0])
    """
    return None


def set_logical_device_configuration(device: PhysicalDevice, logical_devices: Any) -> None:
    """Accepted: one CPU is one device.

    >>> import whygrad as tf
    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
    """


def _setting(name: str) -> tuple[Any, Any]:
    """A function that asks for a setting, and one that sets it."""

    def ask() -> Any:
        return getattr(_settings, name)

    def set_to(value: Any) -> None:
        setattr(_settings, name, value)

    return ask, set_to


def _namespace(name: str, **functions: Any) -> types.ModuleType:
    module = types.ModuleType(f"{__name__}.{name}", f"`tf.config.{name}`.")
    module.__dict__.update(functions)
    return module


def _set_jit(enabled: bool | str) -> None:
    _settings.jit = enabled if isinstance(enabled, str) else "autoclustering" if enabled else ""


_ask_inter, _set_inter = _setting("inter_op_threads")
threading = _namespace(
    "threading",
    get_inter_op_parallelism_threads=_ask_inter,
    set_inter_op_parallelism_threads=_set_inter,
    get_intra_op_parallelism_threads=_workers.asked,
    set_intra_op_parallelism_threads=_workers.set_limit,
)
optimizer = _namespace(
    "optimizer",
    get_jit=lambda: _settings.jit,
    set_jit=_set_jit,
    get_experimental_options=lambda: dict(_settings.optimizer_options),
    set_experimental_options=lambda options: _settings.optimizer_options.update(options),
)
_ask_tf32, _set_tf32 = _setting("tensor_float_32")
_ask_synchronous, _set_synchronous = _setting("synchronous")
_ask_policy, _set_policy = _setting("device_policy")
experimental = _namespace(
    "experimental",
    VirtualDeviceConfiguration=LogicalDeviceConfiguration,
    list_physical_devices=list_physical_devices,
    list_logical_devices=list_logical_devices,
    get_visible_devices=get_visible_devices,
    set_visible_devices=set_visible_devices,
    get_virtual_device_configuration=get_logical_device_configuration,
    set_virtual_device_configuration=set_logical_device_configuration,
    set_memory_growth=lambda device, enable: None,
    get_memory_growth=lambda device: False,
    get_memory_info=lambda device: {"current": 0, "peak": 0},
    get_memory_usage=lambda device: 0,
    reset_memory_stats=lambda device: None,
    get_device_details=lambda device: {},
    enable_op_determinism=_require_seeds,
    tensor_float_32_execution_enabled=_ask_tf32,
    enable_tensor_float_32_execution=_set_tf32,
    get_synchronous_execution=_ask_synchronous,
    set_synchronous_execution=_set_synchronous,
    get_device_policy=_ask_policy,
    set_device_policy=_set_policy,
)

__all__ = [
    "LogicalDevice",
    "LogicalDeviceConfiguration",
    "PhysicalDevice",
    "experimental",
    "experimental_functions_run_eagerly",
    "experimental_run_functions_eagerly",
    "functions_run_eagerly",
    "get_logical_device_configuration",
    "get_soft_device_placement",
    "get_visible_devices",
    "list_logical_devices",
    "list_physical_devices",
    "optimizer",
    "run_functions_eagerly",
    "set_logical_device_configuration",
    "set_soft_device_placement",
    "set_visible_devices",
    "threading",
]
