"""Strategies of one replica: which is current where, and what is refused. `tests/conformance` compares them with TensorFlow's."""

import json

import pytest

import whygrad as tf

ONE = {
    "one device": lambda: tf.distribute.OneDeviceStrategy("/cpu:0"),
    "mirrored": lambda: tf.distribute.MirroredStrategy(["/cpu:0"]),
    "workers": lambda: tf.distribute.MultiWorkerMirroredStrategy(),
}


@pytest.mark.parametrize("name", ONE)
def test_which_strategy_is_current(name, monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    strategy = ONE[name]()

    def here():
        context = tf.distribute.get_replica_context()
        return tf.distribute.get_strategy() is strategy, tf.distribute.has_strategy(), context is not None

    assert here() == (False, False, True)
    assert strategy.run(here) == (True, True, True)
    with strategy.scope():
        assert here() == (True, True, False)
        assert strategy.run(here) == (True, True, True)
        with pytest.raises(ZeroDivisionError):
            strategy.run(lambda: 1 / 0)
        assert here() == (True, True, False)
    assert here() == (False, False, True)


def test_merge_call_is_between_replicas():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])

    def merge(given, x):
        return given is strategy, tf.distribute.in_cross_replica_context(), x

    assert strategy.run(lambda: tf.distribute.get_replica_context().merge_call(merge, args=(3,))) == (True, True, 3)


def test_a_training_loop_learns():
    strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
    with strategy.scope():
        w = tf.Variable(0.0)
    data = tf.data.Dataset.from_tensor_slices(([1.0, 2.0], [2.0, 4.0])).batch(2).repeat(40)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        gradient = tf.distribute.get_replica_context().all_reduce("sum", tape.gradient(loss, w))
        w.assign_sub(0.1 * gradient)
        return loss

    @tf.function
    def train(x, y):
        return strategy.reduce("SUM", strategy.run(step, args=(x, y)), axis=None)

    for x, y in strategy.experimental_distribute_dataset(data):
        loss = train(x, y)
    assert float(loss) < 1e-6
    assert float(w) == pytest.approx(2.0, abs=1e-3)


def test_several_devices_are_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"has one replica in whygrad, and 2 devices are given .*DataParallel"):
        tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
    cluster = {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 0}}
    monkeypatch.setenv("TF_CONFIG", json.dumps(cluster))
    with pytest.raises(ValueError, match=r"TF_CONFIG names 2: call tf.distribute.initialize\(\)"):
        tf.distribute.MultiWorkerMirroredStrategy()
    monkeypatch.setenv("TF_CONFIG", "{")
    with pytest.raises(ValueError, match="TF_CONFIG is not a JSON object"):
        tf.distribute.MultiWorkerMirroredStrategy()
