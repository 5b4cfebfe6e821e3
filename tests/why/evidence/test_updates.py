"""A trace follows each gradient to the variable that is updated with it."""

import whygrad as tf
from whygrad.why.evidence.trace import tracing


def kinds(update):
    with tracing() as trace:
        w, b = tf.Variable([1.0, 2.0]), tf.Variable([0.5, -0.5])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((w * 3.0 + b) ** 2)
        update(w, b, *tape.gradient(loss, [w, b]))
    return [(cause.kind, cause.likely) for cause in trace.findings]


MISAPPLIED = [("wrong-variable-list", True)]


def test_each_with_its_own_gradient():
    assert kinds(lambda w, b, gw, gb: (w.assign_sub(0.1 * gw), b.assign_sub(0.1 * gb))) == []


def test_swapped():
    assert kinds(lambda w, b, gw, gb: (w.assign_sub(0.1 * gb), b.assign_sub(0.1 * gw))) == MISAPPLIED


def test_through_the_slot_of_an_optimizer():
    def update(w, b, gw, gb):
        slot = tf.Variable(tf.zeros(2), trainable=False)
        slot.assign_add(0.1 * gw)
        b.assign_sub(slot / 2.0)

    assert kinds(update) == MISAPPLIED


def test_its_own_gradient_among_others():
    assert kinds(lambda w, b, gw, gb: b.assign_sub(0.1 * (gw + gb))) == []


def test_a_copy_of_a_variable_that_was_trained():
    assert kinds(lambda w, b, gw, gb: (w.assign_sub(0.1 * gw), b.assign(w))) == []


def test_the_update_is_found_at_the_next_gradient_too():
    with tracing() as trace:
        w, b = tf.Variable(1.0), tf.Variable(2.0)
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = w * w * b
            for gradient, variable in zip(tape.gradient(loss, [w, b]), [b, w]):
                variable.assign_sub(0.01 * gradient)
    (cause,) = trace.findings
    assert (cause.site.text, cause.site.role) == ("zip(tape.gradient(loss, [w, b]), [b, w])", "paired here")
