"""The workloads, one module per family. `NAME_API(library)` prepares a workload and returns its step, a function without arguments.

The APIs: `tape` (whygrad and TensorFlow, called the same way), `numpy` (written by hand: the limit for an engine on NumPy),
`torch`, and `autograd`, which receives its own NumPy. A library is measured only on workloads that have a function for its API.
"""
