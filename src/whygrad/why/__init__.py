"""From records to causes: why a gradient is None, not finite, zero, or an error.

`why` reads what tapes and traces recorded. It computes no gradients and prints nothing.
"""
