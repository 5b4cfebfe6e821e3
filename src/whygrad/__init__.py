"""whygrad: reverse-mode differentiation with GradientTape's API, where every gradient, None and error says its reason."""

import os as _os

from whygrad import _public
from whygrad._version import __version__

# What most programs need that take a gradient is loaded with whygrad; the rest when it is first used.
from whygrad.ops import creation as _creation
from whygrad.ops import elementwise as _elementwise
from whygrad.ops import indexing as _indexing
from whygrad.ops import linalg_products as _linalg_products
from whygrad.ops import reductions as _reductions
from whygrad.ops import shaping as _shaping
from whygrad.ops import variables as _variables
from whygrad.tape import gradient_tape as _gradient_tape
from whygrad.view import hooks as _hooks

_public.fill(__name__)


if _os.environ.get("KERAS_BACKEND") == "whygrad":
    from whygrad.keras_backend.first_import import await_keras as _await_keras

    _await_keras()

if _os.environ.get("WHYGRAD", "").strip().lower() == "trace":
    from whygrad.run import session as _session

    _session.trace_this_process()
