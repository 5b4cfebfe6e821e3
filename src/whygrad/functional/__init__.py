"""Gradients as functions: `grad`, `jacobian`, `vmap` and others, for code that is written for NumPy or for tensors."""
