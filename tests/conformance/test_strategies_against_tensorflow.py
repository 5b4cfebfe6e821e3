"""Strategies of one replica beside TensorFlow's: what is current where, and what `run`, `reduce` and `gather` give."""

import numpy as np
import pytest

import whygrad

pytestmark = pytest.mark.tensorflow

STRATEGIES = {
    "default": lambda tf: tf.distribute.get_strategy(),
    "one device": lambda tf: tf.distribute.OneDeviceStrategy("/cpu:0"),
    "mirrored": lambda tf: tf.distribute.MirroredStrategy(["/cpu:0"]),
}


def _seen(tf, strategy):
    """What a program sees of a strategy, outside and inside of its scope and its replica."""
    distribute = tf.distribute
    seen = [strategy.num_replicas_in_sync]

    def here():
        context = distribute.get_replica_context()
        current = distribute.get_strategy() is strategy, distribute.has_strategy()
        return *current, distribute.in_cross_replica_context(), context and context.num_replicas_in_sync

    def merged(given, x):
        return given is strategy, distribute.in_cross_replica_context(), float(x)

    def replica(x):
        context = distribute.get_replica_context()
        seen.append((context.replica_id_in_sync_group, context.strategy is strategy, here()))
        seen.append(context.merge_call(merged, args=(x[0],)))
        return context.all_reduce(distribute.ReduceOp.MEAN, x) * 2.0

    seen.append(here())
    result = strategy.run(replica, args=(tf.constant([1.0, 2.0]),))
    with strategy.scope():
        seen.append(here())
        variable = tf.Variable(1.0)
        seen.append(strategy.extended.variable_created_in_scope(variable))
    seen.append(here())
    seen.append(result.numpy().tolist())
    seen.append(strategy.reduce("SUM", result, axis=None).numpy().tolist())
    seen.append(strategy.reduce("MEAN", result, axis=0).numpy().tolist())
    seen.append(len(strategy.experimental_local_results(result)))
    data = tf.data.Dataset.range(4).batch(2)
    seen.append([each.numpy().tolist() for each in strategy.experimental_distribute_dataset(data)])
    made = strategy.distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(4).batch(context.get_per_replica_batch_size(4))
    )
    seen.append([each.numpy().tolist() for each in made])
    return seen


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_program_sees_the_same(real_tf, name):
    assert _seen(whygrad, STRATEGIES[name](whygrad)) == _seen(real_tf, STRATEGIES[name](real_tf))


def test_values_and_gather(real_tf):
    def found(tf):
        strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
        value = strategy.experimental_distribute_values_from_function(lambda context: tf.constant([[1.0]]))
        return np.asarray(strategy.gather(value, axis=0))

    np.testing.assert_array_equal(found(whygrad), found(real_tf))
