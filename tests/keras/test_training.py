"""Models trained on whygrad. The numbers are those of TensorFlow with the same seeds."""

import numpy as np
import pytest

import whygrad as tf

pytestmark = pytest.mark.filterwarnings(
    "ignore:__array__ implementation doesn't accept:DeprecationWarning"
)  # Keras's own


def _data():
    rng = np.random.default_rng(0)
    x = rng.random((70, 4), dtype=np.float32)
    return x, (x.sum(1) * 0.99).astype(int) % 3


def _mlp(keras):
    return keras.Sequential(
        [keras.Input((4,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="softmax")]
    )


# Printed by TensorFlow 2.21 with Keras 3.15.1 for the same program.
LOSSES = [1.4936798810958862, 1.4831981658935547, 1.4730807542800903]
ACCURACY = 0.10000000149011612


@pytest.mark.parametrize("eagerly", [True, False], ids=["eager", "compiled"])
def test_fit_gives_tensorflows_losses(seeded, eagerly):
    x, y = _data()
    model = _mlp(seeded)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"], run_eagerly=eagerly)
    history = model.fit(x, y, epochs=3, verbose=0, validation_split=0.2)
    np.testing.assert_allclose(history.history["loss"], LOSSES, rtol=1e-5)
    loss, accuracy = model.evaluate(x, y, verbose=0)
    assert accuracy == pytest.approx(ACCURACY)
    predicted = model.predict(x, verbose=0)
    assert predicted.shape == (70, 3)
    np.testing.assert_allclose(-np.log(predicted[np.arange(70), y]).mean(), loss, rtol=1e-5)


def test_a_custom_loop_gives_gradients_for_keras_variables(seeded):
    x, y = _data()
    model = _mlp(seeded)
    optimizer = seeded.optimizers.SGD(0.5)
    losses = []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(seeded.losses.sparse_categorical_crossentropy(y, model(x)))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(float(loss))
    assert [tuple(g.shape) for g in gradients] == [(4, 8), (8,), (8, 3), (3,)]
    assert losses[-1] < losses[0]


def test_the_shape_of_a_custom_layer_is_found_by_tracing(seeded):
    class Pairs(seeded.layers.Layer):
        def call(self, x):
            return tf.reshape(x, (-1, 2)), tf.reduce_sum(x)

    pairs, total = Pairs()(seeded.Input((4,)))
    assert pairs.shape == (None, 2)
    assert total.shape == ()


@pytest.mark.parametrize("name", ["model.keras", "model.weights.h5"])
def test_a_model_is_saved_and_loaded(seeded, tmp_path, name):
    x, y = _data()
    model = _mlp(seeded)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(x, y, verbose=0)
    if name == "model.keras":
        model.save(tmp_path / name)
        loaded = seeded.models.load_model(tmp_path / name)
    else:
        model.save_weights(tmp_path / name)
        loaded = _mlp(seeded)
        loaded.load_weights(tmp_path / name)
    np.testing.assert_array_equal(loaded.predict(x, verbose=0), model.predict(x, verbose=0))


def test_a_model_is_exported_as_a_saved_model(seeded, tmp_path):
    x, _ = _data()
    model = _mlp(seeded)
    model.export(tmp_path / "exported", verbose=False)
    loaded = tf.saved_model.load(tmp_path / "exported")
    np.testing.assert_allclose(loaded.serve(x), model(x), rtol=1e-6)
    assert sorted(loaded.signatures) == ["serve", "serving_default"]
    assert len(loaded.variables) == len(model.variables)


def test_a_model_of_several_inputs_is_exported_and_loaded_as_a_layer(seeded, tmp_path):
    picture, table = seeded.Input((6, 6, 2), name="picture"), seeded.Input((3,), name="table")
    features = seeded.layers.Flatten()(seeded.layers.Conv2D(4, 3, activation="relu")(picture))
    together = seeded.layers.concatenate([seeded.layers.BatchNormalization()(features), table])
    model = seeded.Model({"picture": picture, "table": table}, {"price": seeded.layers.Dense(1)(together)})
    rng = np.random.default_rng(0)
    given = {"picture": rng.random((5, 6, 6, 2), np.float32), "table": rng.random((5, 3), np.float32)}
    model.export(tmp_path / "exported", verbose=False)
    layer = seeded.layers.TFSMLayer(tmp_path / "exported", call_endpoint="serve")
    np.testing.assert_allclose(layer(given)["price"], model(given)["price"], rtol=1e-5)
    assert len(layer.trainable_weights) == len(model.trainable_weights)
    served = tf.saved_model.load(tmp_path / "exported").signatures["serving_default"]
    assert sorted(served.structured_input_signature[1]) == ["picture", "table"]


def test_an_archive_has_the_endpoints_that_were_added(seeded, tmp_path, capsys):
    x, _ = _data()
    model = _mlp(seeded)
    archive = seeded.export.ExportArchive()
    archive.track(model)
    archive.add_endpoint("logits", model.call, input_signature=[tf.TensorSpec((None, x.shape[1]))])
    archive.add_endpoint("best", tf.function(lambda x: tf.argmax(model(x), -1)), [tf.TensorSpec((None, x.shape[1]))])
    archive.write_out(tmp_path / "archive")
    assert "* Endpoint 'best'" in capsys.readouterr().out
    loaded = tf.saved_model.load(tmp_path / "archive")
    np.testing.assert_allclose(loaded.logits(x), model(x), rtol=1e-6)
    np.testing.assert_array_equal(loaded.best(x), model(x).numpy().argmax(-1))
    trained = {variable.name for variable in loaded.logits.concrete_functions[0].trainable_variables}
    assert len(trained) == len(model.trainable_variables)


def test_formats_that_keras_makes_from_graphs_are_refused(seeded, tmp_path):
    with pytest.raises(NotImplementedError, match="exports models to its own format alone"):
        _mlp(seeded).export(tmp_path / "model.onnx", format="onnx", verbose=False)
    with pytest.raises(ValueError, match="Unrecognized format=unknown"):
        _mlp(seeded).export(tmp_path / "model", format="unknown")


def test_a_model_is_saved_as_what_it_serves(seeded, tmp_path):
    x, _ = _data()
    model = _mlp(seeded)
    tf.saved_model.save(model, tmp_path / "saved")
    served = tf.saved_model.load(tmp_path / "saved").signatures["serving_default"](tf.constant(x))
    np.testing.assert_allclose(served["output_0"], model(x), rtol=1e-6)


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_a_step_that_looks_strings_up_runs_as_python(seeded):
    class Ranking(seeded.Model):
        def __init__(self):
            super().__init__()
            self.words = seeded.layers.StringLookup(vocabulary=["a", "b"])
            self.dense = seeded.layers.Dense(1)

        def call(self, words):
            return self.dense(tf.one_hot(self.words(words), 3))

    model = Ranking()
    model.compile("sgd", "mse")
    words = np.array(["a", "b", "c"], object)
    before = model.predict(words, verbose=0)
    np.testing.assert_allclose(before, model(words), rtol=1e-6)
    model.fit(words, before + 1.0, verbose=0, shuffle=False)
    assert (model(words).numpy() > before).all()


@pytest.fixture
def model_of_strings(seeded):
    inputs = seeded.Input((1,), dtype="string")
    numbers = seeded.layers.StringLookup(vocabulary=["a", "b"])(inputs)
    model = seeded.Model(inputs, seeded.layers.Flatten()(seeded.layers.Embedding(3, 1)(numbers)))
    model.compile("sgd", "mse")
    return model


WORDS = [["a"], ["b"], ["c"]]


@pytest.mark.filterwarnings("ignore::whygrad.FunctionWarning")
def test_a_functional_model_of_strings_is_trained(model_of_strings):
    words = tf.constant(WORDS)
    before = model_of_strings(words)
    model_of_strings.fit(words, np.ones(3), verbose=0)
    predicted = model_of_strings.predict(words, verbose=0)
    np.testing.assert_allclose(predicted, model_of_strings(words), rtol=1e-6)
    assert (predicted > before.numpy()).all()


def test_a_functional_model_of_strings_is_not_compiled(model_of_strings):
    pytest.importorskip("jax")
    with pytest.warns(tf.FunctionWarning, match="because it cannot be compiled. Strings in a compiled function"):
        model_of_strings.fit(tf.constant(WORDS), np.ones(3), verbose=0)
    with pytest.warns(tf.FunctionWarning, match="`predict` runs as Python"):
        model_of_strings.predict(tf.constant(WORDS), verbose=0)


def test_other_formats_are_refused_with_what_to_do_instead(seeded, tmp_path):
    with pytest.raises(NotImplementedError, match=r"model\.save"):
        _mlp(seeded).export(tmp_path / "model", format="onnx")
    with pytest.raises(ValueError, match="Unrecognized format=paper"):
        _mlp(seeded).export(tmp_path / "model", format="paper")


def test_a_metric_has_a_shape_where_the_batch_has_none(seeded):
    mean = seeded.metrics.Mean()
    given = seeded.KerasTensor((None, 2))
    assert seeded.src.backend.compute_output_spec(mean, given, given).shape == ()
    assert float(mean.result()) == 0.0


def test_ctc_loss_takes_padded_labels(seeded):
    logits = (np.arange(24).reshape((2, 4, 3)).astype("float32") - 12) / 100
    loss = seeded.losses.CTC()(np.array([[1, 2, 1, 0], [1, 2, 0, 2]]), logits)
    np.testing.assert_allclose(loss, 2.448645, rtol=1e-6)  # TensorFlow's


def test_a_checkpoint_holds_model_and_optimizer(seeded, tmp_path):
    x, y = _data()
    model, optimizer = _mlp(seeded), seeded.optimizers.Adam()
    model.compile(optimizer, "sparse_categorical_crossentropy")

    def trained():
        for _ in range(2):
            model.train_on_batch(x, y)
        return model.predict(x, verbose=0)

    before = trained()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
    path = checkpoint.save(tmp_path / "saved")
    after = trained()
    checkpoint.restore(path).assert_consumed()
    np.testing.assert_array_equal(model.predict(x, verbose=0), before)
    np.testing.assert_array_equal(trained(), after)  # with the same momentums


def test_a_slice_is_updated_where_it_fits(seeded):
    ops = seeded.ops
    whole, part = ops.zeros((3, 4)), ops.ones((2, 2))
    expected = [[0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]]
    assert ops.slice_update(whole, [1, 2], part).numpy().tolist() == expected
    assert ops.slice_update(whole, [5, 5], part).numpy().tolist() == expected  # TensorFlow moves it in as well
    with tf.GradientTape() as tape:
        tape.watch((whole, part))
        y = tf.reduce_sum(ops.slice_update(whole, [1, 2], part) * 3.0)
    at_whole, at_part = tape.gradient(y, (whole, part))
    assert at_whole.numpy().tolist() == [[3, 3, 3, 3], [3, 3, 0, 0], [3, 3, 0, 0]]
    assert at_part.numpy().tolist() == [[3, 3], [3, 3]]


def test_a_layer_computes_in_float8(seeded):
    layer = seeded.layers.Dense(4)
    layer.build((None, 8))
    layer.quantize("float8")
    x = np.random.default_rng(0).normal(size=(2, 8)).astype("float32")
    exact = x @ layer.kernel.numpy() + layer.bias.numpy()
    with tf.GradientTape() as tape:
        y = layer(x, training=True)
    np.testing.assert_allclose(y, exact, atol=0.2)
    assert np.abs(y - exact).max() > 1e-4
    # Scales and maxima are trained too: their gradients are their next values.
    gradients = dict(zip([v.name for v in layer.trainable_variables], tape.gradient(y, layer.trainable_variables)))
    np.testing.assert_allclose(gradients["kernel"], np.repeat(x.sum(0)[:, None], 4, axis=1), atol=0.2)
    assert float(gradients["inputs_amax_history"][0]) == np.abs(x).max()


def test_a_compiled_function_returns_the_value_of_a_keras_variable(seeded):
    held = seeded.Variable([1.0, 2.0])

    @tf.function
    def doubled():
        held.assign(held * 2.0)
        return {"held": held}

    assert doubled()["held"].numpy().tolist() == [2.0, 4.0]
    assert held.numpy().tolist() == [2.0, 4.0]


def test_words_become_numbers(seeded):
    layer = seeded.layers.StringLookup()
    layer.adapt(["b", "a", "b"])
    assert layer(["a", "b", "c"]).numpy().tolist() == [2, 1, 0]
    assert layer.get_vocabulary() == ["[UNK]", "b", "a"]


def test_shapes_are_serialized(seeded):
    serialize = seeded.saving.serialize_keras_object
    assert serialize(tf.TensorShape([2, None])) == [2, None]
    assert serialize(tf.TensorShape(None)) is None


def test_a_custom_gradient_takes_a_variable_that_mixed_precision_casts(seeded):
    @tf.custom_gradient
    def doubled(kernel):
        return 2.0 * kernel, lambda upstream: 7.0 * upstream

    class Doubled(seeded.layers.Layer):
        def build(self, shape):
            self.kernel = self.add_weight(shape=(2,), initializer="ones")

        def call(self, x):
            return x * doubled(self.kernel)

    layer = Doubled(dtype="mixed_float16")
    with tf.GradientTape() as tape:
        y = layer(np.ones((1, 2), "float32"))
    assert y.dtype == "float16"
    assert tape.gradient(y, layer.kernel).numpy().tolist() == [7.0, 7.0]


def _changed_midway(keras, make):
    """The losses of eager training during which the program changes a number of the optimizer."""
    keras.utils.set_random_seed(0)
    x, y = _data()
    optimizer = make(keras.optimizers)
    model = _mlp(keras)
    model.compile(optimizer, "sparse_categorical_crossentropy", run_eagerly=True)
    losses = model.fit(x, y, batch_size=10, epochs=2, verbose=0).history["loss"]
    optimizer.weight_decay = 0.02
    for name in ("beta_1", "rho"):
        if hasattr(optimizer, name):
            setattr(optimizer, name, 0.5)
    return losses + model.fit(x, y, batch_size=10, epochs=2, verbose=0).history["loss"]


OPTIMIZERS = {
    "adam": lambda optimizers: optimizers.Adam(0.01, amsgrad=True, clipnorm=0.1),
    "sgd": lambda optimizers: optimizers.SGD(optimizers.schedules.ExponentialDecay(0.1, 5, 0.5), momentum=0.9),
    "rmsprop": lambda optimizers: optimizers.RMSprop(0.01, use_ema=True),
    "nadam": lambda optimizers: optimizers.Nadam(0.01),
    "accumulated": lambda optimizers: optimizers.Adam(0.01, gradient_accumulation_steps=3),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_repeated_updates_are_those_of_keras_bit_by_bit(seeded, monkeypatch, name):
    from whygrad.keras_backend import repeated_updates

    ran = []
    run = repeated_updates._Repeated.run
    monkeypatch.setattr(repeated_updates._Repeated, "run", lambda *given: ran.append(run(*given)) or ran[-1])
    losses = _changed_midway(seeded, OPTIMIZERS[name])
    assert ran.count(True) > len(ran) / 2
    monkeypatch.setattr(repeated_updates, "_is_repeatable", lambda *_: False)
    assert losses == _changed_midway(seeded, OPTIMIZERS[name])


def test_an_update_under_a_tape_is_recorded(seeded):
    model, optimizer = _mlp(seeded), seeded.optimizers.SGD(0.1)
    x = tf.constant(_data()[0])
    for _ in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        with tf.GradientTape() as around:
            optimizer.apply(gradients, model.trainable_variables)
        assert any(record.plan.primitive.name == "multiply" for record in around.records)


def test_logs_of_a_batch_are_read_only_for_a_callback_that_takes_them(seeded, monkeypatch):
    from keras.src.utils import python_utils

    read = []
    monkeypatch.setattr(python_utils, "pythonify_logs", lambda logs: read.append(logs) or dict(logs or {}))
    x, y = _data()
    model = _mlp(seeded)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(x, y, batch_size=10, verbose=0)
    assert sum(bool(logs) for logs in read) < 7  # those of the epoch, and not of its 7 batches

    class Losses(seeded.callbacks.Callback):
        found = ()

        def on_train_batch_end(self, batch, logs=None):
            self.found = (*self.found, float(logs["loss"]))

    losses = Losses()
    model.fit(x, y, batch_size=10, verbose=0, callbacks=[losses])
    assert len(losses.found) == 7
    assert losses.found[-1] != losses.found[0]

    old = seeded.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: read.append("called"))
    model.fit(x, y, batch_size=10, verbose=0, callbacks=[old])
    assert read.count("called") == 7
