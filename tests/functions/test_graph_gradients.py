"""tf.gradients and tf.hessians are for graphs only: their error suggests GradientTape."""

import pytest

import whygrad as tf


@pytest.mark.parametrize("graph_only", [tf.gradients, tf.hessians])
def test_graphs_are_not_differentiated(graph_only):
    with pytest.raises(
        RuntimeError, match=r"not supported when eager execution is enabled. Use tf\.GradientTape instead"
    ):
        graph_only(tf.constant(1.0), [tf.constant(2.0)])
