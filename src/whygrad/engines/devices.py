"""Devices: the CPU, and JAX's devices where it is installed."""

from __future__ import annotations

from typing import Any, NamedTuple

from whygrad._public import export
from whygrad.engines import loading as xla
from whygrad.values.tensor import placement


@export("config.PhysicalDevice")
class PhysicalDevice(NamedTuple):
    """A piece of hardware."""

    name: str
    device_type: str


@export("config.LogicalDevice")
class LogicalDevice(NamedTuple):
    """A device that values can be on."""

    name: str
    device_type: str


@export("config.LogicalDeviceConfiguration", "config.experimental.VirtualDeviceConfiguration")
class LogicalDeviceConfiguration(NamedTuple):
    """A part of a physical device."""

    memory_limit: int | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


class _Visible:
    """The types of devices that `set_visible_devices` has hidden."""

    hidden: set[str] = set()


_visible = _Visible()


@export("config.list_physical_devices", "config.experimental.list_physical_devices")
def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the hardware: the CPU, and the devices that JAX can use, where it is installed.

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
    """The kind and number of each device."""
    if not xla.is_installed():
        return [("CPU", 0)]
    numbers: dict[str, int] = {}
    found = []
    for kind, _ in xla.engine().devices():
        numbers[kind] = numbers.get(kind, -1) + 1
        found.append((kind, numbers[kind]))
    return found


@export("config.list_logical_devices", "config.experimental.list_logical_devices")
def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """List the devices that can hold values; the same as `list_physical_devices`.

    >>> import whygrad as tf
    >>> tf.config.list_logical_devices("CPU")[0]
    LogicalDevice(name='/device:CPU:0', device_type='CPU')
    """
    return [
        LogicalDevice(f"/device:{kind}:{number}", kind) for kind, number in _devices() if device_type in (None, kind)
    ]


@export("config.get_visible_devices", "config.experimental.get_visible_devices")
def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """List the devices in use: all except those hidden by `set_visible_devices`.

    >>> import whygrad as tf
    >>> tf.config.get_visible_devices("CPU")[0].device_type
    'CPU'
    """
    return [each for each in list_physical_devices(device_type) if each.device_type not in _visible.hidden]


@export("config.set_visible_devices", "config.experimental.set_visible_devices")
def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Use only these devices of a type: without GPUs, functions are compiled for the CPU.

    >>> import whygrad as tf
    >>> tf.config.set_visible_devices([], "GPU")
    """
    kinds = {each.device_type for each in list_physical_devices() if device_type in (None, each.device_type)} - {"CPU"}
    given = devices if isinstance(devices, list | tuple) else [devices]
    shown = {each.device_type for each in given}
    _visible.hidden = (_visible.hidden - kinds) | (kinds - shown)
    if kinds:
        cpus = [device for kind, device in xla.engine().devices() if kind == "CPU"]
        placement.device = cpus[0] if kinds <= _visible.hidden else None


@export("config.get_logical_device_configuration", "config.experimental.get_virtual_device_configuration")
def get_logical_device_configuration(device: PhysicalDevice) -> list[LogicalDeviceConfiguration] | None:
    """Return None: devices are not split.

    >>> import whygrad as tf
    >>> tf.config.get_logical_device_configuration(tf.config.list_physical_devices()[0])
    """
    return None


@export("config.set_logical_device_configuration", "config.experimental.set_virtual_device_configuration")
def set_logical_device_configuration(device: PhysicalDevice, logical_devices: Any) -> None:
    """Accepted and ignored: one CPU is one device.

    >>> import whygrad as tf
    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()])
    """


@export("config.experimental.set_memory_growth")
def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Accepted and ignored: JAX manages the memory of its devices.

    >>> import whygrad as tf
    >>> tf.config.experimental.set_memory_growth(tf.config.list_physical_devices("CPU")[0], True)
    """


@export("config.experimental.get_memory_growth")
def get_memory_growth(device: PhysicalDevice) -> bool:
    """Always False: JAX manages the memory of its devices.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_memory_growth(tf.config.list_physical_devices("CPU")[0])
    False
    """
    return False


@export("config.experimental.get_memory_info")
def get_memory_info(device: str) -> dict[str, int]:
    """Always zeros: memory is not counted.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_memory_info("CPU:0")
    {'current': 0, 'peak': 0}
    """
    return {"current": 0, "peak": 0}


@export("config.experimental.get_memory_usage")
def get_memory_usage(device: PhysicalDevice) -> int:
    """Always 0: memory is not counted.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_memory_usage(tf.config.list_physical_devices("CPU")[0])
    0
    """
    return 0


@export("config.experimental.reset_memory_stats")
def reset_memory_stats(device: str) -> None:
    """Accepted and ignored: memory is not counted.

    >>> import whygrad as tf
    >>> tf.config.experimental.reset_memory_stats("CPU:0")
    """


@export("config.experimental.get_device_details")
def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """Always empty.

    >>> import whygrad as tf
    >>> tf.config.experimental.get_device_details(tf.config.list_physical_devices("CPU")[0])
    {}
    """
    return {}
