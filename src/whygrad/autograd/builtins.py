"""Python's containers, under the names that autograd needs its own for: structures are differentiated as they are.

`isinstance` and `type` see the value of a tensor: an array or a number.
"""

from whygrad.autograd.primitives import notrace_primitive

dict = dict
list = list
tuple = tuple
isinstance = notrace_primitive(isinstance)
type = notrace_primitive(type)
