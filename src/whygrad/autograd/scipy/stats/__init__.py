"""Densities, one module for each distribution, as `whygrad.scipy.stats` has them."""

from whygrad.autograd.plain import submodule as _submodule
from whygrad.scipy import stats as _stats

for _name in _stats.__all__:
    globals()[_name] = _submodule(f"{__name__}.{_name}", getattr(_stats, _name))
