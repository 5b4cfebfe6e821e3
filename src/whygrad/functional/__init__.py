"""Gradients as functions: `grad`, `jacobian`, `vmap` and their kin, for code that is written for NumPy or for tensors."""
