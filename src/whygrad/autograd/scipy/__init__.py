"""`whygrad.scipy` as autograd has it: arrays for arrays."""

from whygrad.autograd.plain import submodule as _submodule
from whygrad.autograd.scipy import integrate as integrate
from whygrad.autograd.scipy import signal as signal
from whygrad.autograd.scipy import stats as stats
from whygrad.scipy import linalg as _linalg
from whygrad.scipy import special as _special

linalg = _submodule(f"{__name__}.linalg", _linalg)
special = _submodule(f"{__name__}.special", _special)
