"""Functions that refer to large arrays, to see that nothing holds the arrays when the function is dropped."""

import gc
import weakref

import numpy as np

import whygrad as tf


def _plain(array, variable):
    return lambda x: tf.reduce_sum(x * array * variable)


def _with_a_tape(array, variable):
    def python(x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * array * variable)
        return tf.reduce_sum(tape.gradient(y, variable))

    return python


def _assigning(array, variable):
    def python(x):
        variable.assign_add(array * x)
        return x

    return python


FUNCTIONS = {"plain": _plain, "with a tape": _with_a_tape, "assigning": _assigning}


def held_after_dropping(name):
    """Call and differentiate a function, drop it, and return which of it, its array and its variable still exist."""
    gc.collect()
    gc.disable()
    try:
        array, variable = tf.constant(np.ones(1000, np.float32)), tf.Variable(np.ones(1000, np.float32))
        function = tf.function(FUNCTIONS[name](array, variable))
        x = tf.constant(2.0)
        function(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        tape.gradient(y, x)
        references = {"function": weakref.ref(function), "array": weakref.ref(array), "variable": weakref.ref(variable)}
        del function, array, variable, tape, x, y
        return [what for what, reference in references.items() if reference() is not None]
    finally:
        gc.enable()
