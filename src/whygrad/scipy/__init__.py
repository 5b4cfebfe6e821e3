"""Differentiable SciPy: `special`, `stats` (densities), `linalg` and `optimize`, with SciPy's names, signatures and numbers.

Like `whygrad.numpy`, the functions take arrays, numbers and tensors, promote dtypes as NumPy does, and give tensors that tapes record.

>>> import numpy as np, whygrad
>>> from whygrad.scipy.stats import norm
>>> whygrad.grad(lambda x: norm.logpdf(x, 1.0, 2.0))(0.0)
np.float64(0.25)
"""
