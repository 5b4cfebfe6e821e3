"""The workloads, one module a family. `NAME_API(library)` prepares a workload and returns its step, a function without arguments.

The APIs: `tape` (whygrad and TensorFlow, called the same way), `numpy` (written by hand: the limit of what can be reached on
NumPy), `torch`, and `autograd`, which is handed its own NumPy. A workload that a library has no function for is not measured there.
"""
