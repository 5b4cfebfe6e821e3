"""`whygrad.numpy` under the name TensorFlow has for it: the very same module."""

import sys
from typing import TYPE_CHECKING

import whygrad.numpy
from whygrad._public import export

if TYPE_CHECKING:
    from whygrad.numpy import *  # noqa: F403

sys.modules[__name__] = whygrad.numpy
export("experimental.numpy")(sys.modules[__name__])
