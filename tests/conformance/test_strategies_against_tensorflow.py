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


def _options_and_cluster(tf):
    """What a program reads of the options of strategies, and of the cluster that TF_CONFIG describes."""
    distribute = tf.distribute
    options = distribute.InputOptions(experimental_per_replica_buffer_size=2)
    strategy = distribute.MirroredStrategy(["/cpu:0"], cross_device_ops=distribute.HierarchicalCopyAllReduce())
    data = tf.data.Dataset.range(4).batch(2)
    communication = distribute.experimental.CommunicationOptions(
        implementation=distribute.experimental.CommunicationImplementation.RING
    )
    nccl = distribute.experimental.CommunicationOptions(timeout_seconds=3.0, implementation="nccl")
    cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": {0: "c:3", 2: "d:4"}})
    resolver = distribute.cluster_resolver.TFConfigClusterResolver()
    return (
        str(options),
        str(distribute.RunOptions()),
        [each.numpy().tolist() for each in strategy.experimental_distribute_dataset(data, options)],
        (communication.bytes_per_pack, communication.timeout_seconds, communication.implementation.value),
        (nccl.timeout_seconds, nccl.implementation.value),
        (cluster.as_dict(), cluster.jobs, cluster.num_tasks("worker"), cluster.task_address("ps", 2)),
        (cluster.job_tasks("ps"), cluster.task_indices("ps"), repr(cluster), cluster == tf.train.ClusterSpec(cluster)),
        (resolver.task_type, resolver.task_id, resolver.cluster_spec().as_dict()),
        distribute.experimental.CentralStorageStrategy(["/cpu:0"]).num_replicas_in_sync,
    )


def test_options_and_the_cluster_read_the_same(real_tf, monkeypatch):
    monkeypatch.setenv(
        "TF_CONFIG", '{"cluster": {"worker": ["localhost:1234"]}, "task": {"type": "worker", "index": 0}}'
    )
    assert _options_and_cluster(whygrad) == _options_and_cluster(real_tf)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda tf: tf.distribute.NcclAllReduce(num_packs=-1),
        lambda tf: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=-1),
        lambda tf: tf.distribute.experimental.CommunicationOptions(implementation=3),
        lambda tf: tf.distribute.experimental.CommunicationOptions(implementation="TCP"),
        lambda tf: tf.train.ClusterSpec(3),
        lambda tf: tf.train.ClusterSpec({"worker": ["a:1"]}).num_tasks("ps"),
        lambda tf: tf.train.ClusterSpec({"worker": ["a:1"]}).task_address("worker", 1),
    ],
)
def test_wrong_options_are_tensorflows_errors(real_tf, mistake):
    with pytest.raises((TypeError, ValueError)) as theirs:
        mistake(real_tf)
    with pytest.raises(theirs.type):
        mistake(whygrad)
