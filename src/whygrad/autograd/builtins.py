"""Python's containers, under the names that autograd needs its own for: structures are differentiated as they are."""

dict = dict
isinstance = isinstance
list = list
tuple = tuple
type = type
