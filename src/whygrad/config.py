"""`tf.config`."""

from whygrad import config_experimental as experimental
from whygrad import config_optimizer as optimizer
from whygrad import config_threading as threading
from whygrad.compile.configuration import functions_run_eagerly, run_functions_eagerly
from whygrad.compile.configuration import functions_run_eagerly as experimental_functions_run_eagerly
from whygrad.compile.configuration import run_functions_eagerly as experimental_run_functions_eagerly
from whygrad.engines.devices import (
    LogicalDevice,
    LogicalDeviceConfiguration,
    PhysicalDevice,
    get_logical_device_configuration,
    get_visible_devices,
    list_logical_devices,
    list_physical_devices,
    set_logical_device_configuration,
    set_visible_devices,
)
from whygrad.ops.scopes import get_soft_device_placement, set_soft_device_placement

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
