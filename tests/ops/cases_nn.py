"""Rows for `whygrad.ops.activations`, `attention`, `losses` and `normalization`."""

import functools

import numpy as np

from tests.support.cases import BadInput, Case, anything, between, positive, seeded

INF, NAN = np.inf, np.nan
FLOATS = ("float16", "bfloat16", "float32", "float64")
EXTREME_LOGITS = np.array([[1e4, -1e4, 0.0], [-800.0, 0.0, 800.0]])


def _shares(tf, x, axis=-1):
    """Labels that sum to one."""
    return tf.nn.softmax(x, axis=axis)


def _sampled(tf, dtype):
    """A sample of classes, of which 1 is one of the true ones, and the expected counts of the true and the sampled."""
    return tf.constant([1, 5, 2], tf.int64), tf.cast([[0.5], [0.25]], dtype), tf.cast([0.3, 0.2, 0.1], dtype)


def _sampled_for_two_true_classes(tf):
    return tf.random.log_uniform_candidate_sampler([[1, 2], [3, 1]], 2, 4, True, 7, seed=5)


def _attention(tf, query, key, value, **options):
    return tf.nn.dot_product_attention(query, key, value, **options)


SPELLED = {"labels": np.array([[1, 2, 2], [3, 1, 0]]), "label_length": [3, 2]}
CORNERS = np.array([-7.0, -0.0, 0.0, 6.0, 7.0, NAN, INF, -INF])

CASES = [
    # Of the gradient for the logits TensorFlow's derivative by the labels is 0, which it is not: finite differences check it.
    Case(
        "softmax_cross_entropy",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(4, 3), anything(4, 3)),
        dtypes=FLOATS,
        second=False,
    ),
    Case(
        "softmax_cross_entropy logits",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.cast([[0.5, 0.2, 0.3], [0, 1, 0]], x.dtype), x),
        (anything(2, 3),),
    ),
    Case(
        "softmax_cross_entropy axis 0",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 0), x, axis=0),
        (anything(4, 3), anything(4, 3)),
        second=False,
    ),
    Case(
        "softmax_cross_entropy middle axis",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 1), x, axis=1),
        (anything(2, 4, 3), anything(2, 4, 3)),
        second=False,
    ),
    # Of the negative axes TensorFlow knows only -1 here.
    Case(
        "softmax_cross_entropy negative axis",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, -2), x, axis=-2),
        (anything(2, 4, 3), anything(2, 4, 3)),
        tensorflow=False,
    ),
    Case(
        "softmax_cross_entropy vector",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(3), anything(3)),
        second=False,
    ),
    # TensorFlow's gradient fails where labels or logits were broadcast.
    Case(
        "softmax_cross_entropy broadcast labels",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p), x),
        (anything(3), anything(2, 2, 3)),
        tensorflow=False,
    ),
    Case(
        "softmax_cross_entropy broadcast logits",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(_shares(tf, p, 0), x, axis=0),
        (anything(3, 2), anything(1, 2)),
        tensorflow=False,
        order=0,
    ),
    Case(
        "softmax_cross_entropy labels of any sum",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(2, 3), anything(2, 3)),
        order=0,
    ),
    Case(
        "softmax_cross_entropy extreme",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.cast([[0, 1, 0], [0, 0, 1]], x.dtype), x),
        (EXTREME_LOGITS,),
        order=0,
    ),
    Case(
        "softmax_cross_entropy infinite",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (np.array([[1.0, 0, 0], [0, 1, 0]]), np.array([[-INF, 1, 2], [-INF, 1, 2]])),
        order=0,
    ),
    Case(
        "softmax_cross_entropy integer labels",
        lambda tf, x: tf.nn.softmax_cross_entropy_with_logits(tf.constant([[0, 1, 0]]), x),
        (anything(1, 3),),
    ),
    Case(
        "softmax_cross_entropy empty",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(0, 3), anything(0, 3)),
    ),
    Case(
        "softmax_cross_entropy no classes",
        lambda tf, p, x: tf.nn.softmax_cross_entropy_with_logits(p, x),
        (anything(3, 0), anything(3, 0)),
    ),
    Case(
        "sparse_softmax_cross_entropy",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0, 1, 2], x),
        (anything(4, 3),),
        dtypes=FLOATS,
    ),
    Case(
        "sparse_softmax_cross_entropy vector",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(1, x),
        (anything(3),),
    ),
    Case(
        "sparse_softmax_cross_entropy rank 3",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(np.array([[0, 1], [1, 2]]), x),
        (anything(2, 2, 3),),
    ),
    Case(
        "sparse_softmax_cross_entropy extreme",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 2], x),
        (EXTREME_LOGITS,),
        order=0,
    ),
    Case(
        "sparse_softmax_cross_entropy infinite",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 0], x),
        (np.array([[-INF, 1, 2], [-INF, 1, 2]]),),
        order=0,
    ),
    Case(
        "sparse_softmax_cross_entropy empty",
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits(np.zeros(0, np.int32), x),
        (anything(0, 3),),
    ),
    Case(
        "sigmoid_cross_entropy",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (between(0, 1, 2, 3), anything(2, 3)),
        dtypes=FLOATS,
    ),
    Case(
        "sigmoid_cross_entropy extreme",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (np.array([0.3, 0.0, 1.0, 0.0, 1.0]), np.array([0.0, 1e4, 1e4, -1e4, -1e4])),
        order=0,
    ),
    Case(
        "sigmoid_cross_entropy empty",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=p, logits=x),
        (anything(2, 0), anything(2, 0)),
    ),
    Case(
        "sigmoid_cross_entropy scalar",
        lambda tf, p, x: tf.nn.sigmoid_cross_entropy_with_logits(p, x),
        (anything(), anything()),
    ),
    Case(
        "weighted_cross_entropy",
        lambda tf, p, x, w: tf.nn.weighted_cross_entropy_with_logits(p, x, w),
        (between(0, 1, 2, 3), anything(2, 3), positive()),
        dtypes=FLOATS,
    ),
    Case(
        "weighted_cross_entropy weights",
        lambda tf, p, x, w: tf.nn.weighted_cross_entropy_with_logits(labels=p, logits=x, pos_weight=w),
        (between(0, 1, 2, 3), anything(2, 3), positive(3)),
    ),
    Case(
        "weighted_cross_entropy extreme",
        lambda tf, p, x: tf.nn.weighted_cross_entropy_with_logits(p, x, 2),
        (np.array([0.3, 1.0, 0.0, 1.0, 0.0]), np.array([0.0, 1e4, 1e4, -1e4, -1e4])),
        order=0,
    ),
    Case(
        "log_poisson_loss",
        lambda tf, n, x: tf.nn.log_poisson_loss(n, x),
        (positive(2, 3), anything(2, 3)),
        dtypes=FLOATS,
    ),
    Case(
        "log_poisson_loss full",
        lambda tf, n, x: tf.nn.log_poisson_loss(n, x, compute_full_loss=True),
        (np.array([0.5, 1.2, 2.0, 7.0]), anything(4)),
    ),
    Case(
        "log_poisson_loss full corners",
        lambda tf, n, x: tf.nn.log_poisson_loss(n, x, compute_full_loss=True),
        (np.array([0.0, 1.0, -1.0]), anything(3)),
        order=0,
    ),
    Case("compute_average_loss", lambda tf, x: tf.nn.compute_average_loss(x), (anything(2, 3),), dtypes=FLOATS),
    Case(
        "compute_average_loss weights",
        lambda tf, x: tf.nn.compute_average_loss(x, [1.0, 0.5], 4),
        (anything(2, 3),),
        dtypes=("float16", "float32"),  # in float64 TensorFlow rounds to float32 on the way, as do we
        order=0,
    ),
    Case(
        "compute_average_loss column of weights",
        lambda tf, x: tf.nn.compute_average_loss(x, tf.constant([[1.0], [2.0]]), tf.constant(3)),
        (anything(2),),
        dtypes=("float32",),
        order=0,
    ),
    Case("compute_average_loss none", lambda tf, x: tf.nn.compute_average_loss(x), (anything(0),), order=0),
    Case(
        "compute_average_loss int",
        lambda tf, x: tf.nn.compute_average_loss(tf.cast(x, tf.int32)),
        (anything(3),),
        order=0,
    ),
    Case("scale_regularization_loss", lambda tf, x: tf.nn.scale_regularization_loss(x), (anything(2, 3),)),
    Case(
        "scale_regularization_loss int", lambda tf, x: tf.nn.scale_regularization_loss([1, 2]), (anything(1),), order=0
    ),
    Case("isotonic_regression", lambda tf, x: tf.nn.isotonic_regression(x), (anything(3, 7),), dtypes=FLOATS),
    Case(
        "isotonic_regression rising",
        lambda tf, x: tf.nn.isotonic_regression(x * x, decreasing=False),
        (anything(2, 7),),
    ),
    Case("isotonic_regression axis", lambda tf, x: tf.nn.isotonic_regression(x, axis=0), (anything(7, 2),)),
    Case(
        "isotonic_regression ties",
        lambda tf, x: tf.nn.isotonic_regression(x, decreasing=False)[0] * tf.cast(tf.range(5), x.dtype),
        (np.array([[1.0, 1, 2, 2, 1]]),),
        order=0,
    ),
    # TensorFlow's gradient fails for all but matrices with elements.
    *[
        Case(
            f"isotonic_regression {label}",
            lambda tf, x, axis=axis: tf.nn.isotonic_regression(x, axis=axis),
            (anything(*shape),),
            tensorflow=False,
        )
        for label, shape, axis in (
            ("scalar", (), -1),
            ("vector", (5,), 0),
            ("negative axis", (2, 7, 2), -2),
            ("empty", (0, 3), -1),
            ("no columns", (3, 0), -1),
        )
    ],
    *[
        Case(
            f"isotonic_regression {kind}",
            lambda tf, x, kind=kind: tf.nn.isotonic_regression(tf.cast(4 * x, kind)),
            (positive(5),),
            order=0,
        )
        for kind in ("int8", "int16", "int32", "int64")
    ],
    # -- activations --
    *[
        Case(f"{name}{label}", lambda tf, x, name=name: getattr(tf.nn, name)(x), (given,), order=order, dtypes=FLOATS)
        for name in ("relu6", "leaky_relu", "elu", "selu", "gelu", "silu", "swish", "crelu")
        for label, given, order in (("", anything(3, 4), 2), (" empty", anything(0, 3), 2), (" corners", CORNERS, 0))
    ],
    *[
        Case(f"{name} scalar", lambda tf, x, name=name: getattr(tf.nn, name)(x), (anything(),))
        for name in ("relu6", "leaky_relu", "elu", "selu", "gelu", "silu")
    ],
    Case("relu6 far", lambda tf, x: tf.nn.relu6(x), (between(-9, 9, 4, 5),)),
    *[
        Case(
            f"{name} {kind}",
            lambda tf, x, name=name, kind=kind: getattr(tf.nn, name)(tf.cast(x, kind)),
            (between(0, 9, 5),),
            order=0,
        )
        for name, kind in (
            ("relu6", "int32"),
            ("relu6", "uint8"),
            ("relu6", "int64"),
            ("leaky_relu", "int32"),
            ("leaky_relu", "uint8"),
            ("crelu", "int32"),
        )
    ],
    Case("leaky_relu steep", lambda tf, x: tf.nn.leaky_relu(x, alpha=3), (anything(5),)),
    Case("leaky_relu falling", lambda tf, x: tf.nn.leaky_relu(x, -0.5), (anything(5),)),
    Case("gelu approximate", lambda tf, x: tf.nn.gelu(x, approximate=True), (anything(3, 4),), dtypes=FLOATS),
    Case("gelu far", lambda tf, x: tf.nn.gelu(x), (between(-9, 9, 4, 5),)),
    Case("gelu approximate far", lambda tf, x: tf.nn.gelu(x, True), (between(-6, 6, 4, 5),)),
    Case("silu beta", lambda tf, x, b: tf.nn.silu(x, b), (anything(3, 4), positive())),
    Case("silu number", lambda tf, x: tf.nn.silu(features=x, beta=2), (anything(3),)),
    # TensorFlow's gradient for complex numbers lacks the conjugate.
    Case("silu complex", lambda tf, x: tf.nn.silu(x), (anything(3),), complex=True, tensorflow=False),
    # TensorFlow's gradient for several betas is the sum over all, of the wrong shape.
    Case("silu betas", lambda tf, x, b: tf.nn.silu(x, b), (anything(3, 4), positive(4)), tensorflow=False),
    Case("silu extreme", lambda tf, x: tf.nn.silu(x), (np.array([-1e4, 1e4, -80.0, 80.0]),), order=0),
    Case("crelu axis", lambda tf, x: tf.nn.crelu(x, axis=0), (anything(3, 2),)),
    # -- biases and normalization --
    Case("bias_add", lambda tf, x, b: tf.nn.bias_add(x, b), (anything(2, 3), anything(3)), dtypes=FLOATS, complex=True),
    Case("bias_add NHWC", lambda tf, x, b: tf.nn.bias_add(x, b, "NHWC"), (anything(2, 2, 3, 4), anything(4))),
    Case(
        "bias_add NCHW", lambda tf, x, b: tf.nn.bias_add(x, b, data_format="NCHW"), (anything(2, 3, 2, 2), anything(3))
    ),
    Case("bias_add NC..", lambda tf, x, b: tf.nn.bias_add(x, b, data_format="NC.."), (anything(2, 3), anything(3))),
    Case("bias_add empty", lambda tf, x, b: tf.nn.bias_add(x, b), (anything(0, 3), anything(3))),
    Case("bias_add no biases", lambda tf, x, b: tf.nn.bias_add(x, b), (anything(2, 0), anything(0))),
    Case("bias_add int", lambda tf, x: tf.nn.bias_add(tf.cast(x, tf.int32), [1, 2]), (anything(3, 2),), order=0),
    Case(
        "batch_normalization",
        lambda tf, x, m, v, o, s: tf.nn.batch_normalization(x, m, v, o, s, 1e-3),
        (anything(5, 3), anything(3), positive(3), anything(3), anything(3)),
        dtypes=FLOATS,
    ),
    Case(
        "batch_normalization bare",
        lambda tf, x, m, v: tf.nn.batch_normalization(x, m, v, None, None, variance_epsilon=1e-3),
        (anything(5, 3), anything(3), positive(3)),
    ),
    Case(
        "batch_normalization of moments",
        lambda tf, x, o, s: tf.nn.batch_normalization(x, *tf.nn.moments(x, [0, 1]), o, s, 1e-3),
        (anything(4, 3, 2), anything(2), anything(2)),
    ),
    Case(
        "batch_normalization half",
        lambda tf, x, m, v: tf.nn.batch_normalization(tf.cast(x, tf.float16), m, v, None, None, 1e-3),
        (anything(5, 3), anything(3), positive(3)),
        order=0,
        dtypes=("float32",),
        # TensorFlow rounds to half at each step; a last bit of half is 1e-3.
        rtol={"float32": 2e-3},
    ),
    Case(
        "batch_norm_with_global_normalization",
        lambda tf, x, m, v, b, c: tf.nn.batch_norm_with_global_normalization(x, m, v, b, c, 1e-3, True),
        (anything(1, 2, 2, 3), anything(3), positive(3), anything(3), anything(3)),
    ),
    Case(
        "batch_norm_with_global_normalization unscaled",
        lambda tf, x, m, v, b, c: tf.nn.batch_norm_with_global_normalization(x, m, v, b, c, 1e-3, False),
        (anything(1, 2, 2, 3), anything(3), positive(3), anything(3), anything(3)),
    ),
    # TensorFlow has no float64 for it and no second derivative: finite differences check both.
    Case(
        "lrn",
        lambda tf, x: tf.nn.lrn(x, 2, 1.0, 0.5, 0.75),
        (anything(2, 1, 2, 6),),
        dtypes=("float16", "float32"),
        second=False,
    ),
    Case(
        "lrn wide",
        lambda tf, x: tf.nn.local_response_normalization(x),
        (anything(1, 1, 2, 4),),
        dtypes=("float32",),
        second=False,
    ),
    Case(
        "lrn narrow",
        lambda tf, x: tf.nn.lrn(x, depth_radius=0, alpha=2),
        (anything(1, 1, 2, 4),),
        dtypes=("float32",),
        second=False,
    ),
    Case("lrn empty", lambda tf, x: tf.nn.lrn(x), (anything(0, 1, 2, 4),), dtypes=("float32",), second=False),
    Case("lrn no channels", lambda tf, x: tf.nn.lrn(x), (anything(1, 1, 2, 0),), dtypes=("float32",), second=False),
    # -- dropout: the draws are TensorFlow's --
    Case("dropout", lambda tf, x: seeded(tf).nn.dropout(x, 0.4, seed=3), (anything(3, 4),), dtypes=FLOATS),
    Case("dropout tensor", lambda tf, x, r: seeded(tf).nn.dropout(x, r, seed=3), (anything(3, 4), between(0.2, 0.3))),
    Case("dropout noise", lambda tf, x: seeded(tf).nn.dropout(x, 0.4, (None, 1), 5), (anything(6, 4),)),
    Case("dropout grown", lambda tf, x: seeded(tf).nn.dropout(x, 0.4, [2, 3, 4], 5), (anything(3, 4),)),
    Case("dropout none", lambda tf, x: tf.nn.dropout(x, 0), (anything(3, 4),)),
    Case("dropout empty", lambda tf, x: tf.nn.dropout(x, 0.5), (anything(0, 4),)),
    Case(
        "stateless_dropout",
        lambda tf, x: tf.nn.experimental.stateless_dropout(x, 0.4, [1, 2]),
        (anything(3, 4),),
        dtypes=FLOATS,
    ),
    Case(
        "general_dropout",
        lambda tf, x: tf.nn.experimental.general_dropout(
            x, 0.4, tf.random.Generator.from_seed(7, alg="philox").uniform
        ),
        (anything(3, 4),),
        compiled=False,  # it makes a generator, whose state is a variable, at each call
    ),
    # -- a sample of many classes: the draws are TensorFlow's --
    *[
        Case(
            f"{name} {'unique' if unique else 'repeated'}",
            lambda tf, x, name=name, unique=unique: getattr(seeded(tf).random, name)(
                [[1, 2], [30, 4]], 2, 20, unique, 50, 5
            ),
            (anything(1),),
            order=0,
            dtypes=("float32",),  # the counts are, always
        )
        for name in ("log_uniform_candidate_sampler", "uniform_candidate_sampler")
        for unique in (True, False)
    ],
    Case(
        "all_candidate_sampler",
        lambda tf, x: tf.nn.all_candidate_sampler([[1], [3]], 1, 5, True),
        (anything(1),),
        order=0,
    ),
    Case(
        "compute_accidental_hits",
        lambda tf, x: tf.nn.compute_accidental_hits([[1, 2], [3, 4]], [2, 3, 5, 1], 2),
        (anything(1),),
        order=0,
    ),
    *[
        Case(
            f"{name} {label}",
            lambda tf, w, b, x, name=name, hits=hits: getattr(tf.nn, name)(
                w, b, np.array([[1], [3]]), x, 3, 7, sampled_values=_sampled(tf, w.dtype), remove_accidental_hits=hits
            ),
            (anything(7, 3), anything(7), anything(2, 3)),
        )
        for name in ("sampled_softmax_loss", "nce_loss")
        for label, hits in (("hits removed", True), ("hits kept", False))
    ],
    *[
        Case(
            f"{name} several true classes",
            lambda tf, w, b, x, name=name, sample=sample: getattr(seeded(tf).nn, name)(
                w, b, np.array([[1, 2], [3, 1]]), x, 4, 7, num_true=2, **sample(tf)
            ),
            (anything(7, 3), anything(7), anything(2, 3)),
            dtypes=("float32",),  # TensorFlow's expected counts are float32, and it does not cast them
            order=0,
        )
        for name, sample in (
            ("sampled_softmax_loss", lambda tf: {"seed": 5}),
            ("nce_loss", lambda tf: {"sampled_values": _sampled_for_two_true_classes(tf)}),
        )
    ],
    Case(
        "sampled_softmax_loss in parts",
        lambda tf, w, v, b, x: tf.nn.sampled_softmax_loss(
            [w, v], b, tf.constant([[1], [3]]), x, 3, 7, sampled_values=_sampled(tf, w.dtype)
        ),
        (anything(4, 3), anything(3, 3), anything(7), anything(2, 3)),
        tensorflow=False,
    ),
    # -- fake quantization: steps, whose gradient is that of the identity between the bounds --
    *[
        Case(
            f"fake_quant {label}",
            lambda tf, *given, name=name, arguments=arguments: getattr(
                tf.quantization, f"fake_quant_with_min_max_{name}"
            )(*given, *arguments),
            inputs,
            dtypes=("float32",),
            order=0,
            second=False,
        )
        for label, name, inputs, arguments in (
            ("", "args", (anything(3, 4),), (-1.0, 0.8)),
            ("few bits", "args", (anything(3, 4),), (-1.0, 0.8, 3, True)),
            ("bounds above 0", "args", (anything(3, 4),), (0.3, 0.8)),
            ("variable bounds", "vars", (anything(3, 4), np.array(-0.7), np.array(0.9)), (4,)),
            ("bounds at 0", "vars", (anything(3, 4), np.array(0.0), np.array(0.0)), ()),
            ("per channel", "vars_per_channel", (anything(2, 3, 2), np.array([-0.7, 0.0]), np.array([0.3, 0.5])), (4,)),
            ("one row", "vars_per_channel", (anything(2), np.array([-0.7, 0.0]), np.array([0.3, 0.0])), ()),
            ("empty", "vars", (anything(0, 4), np.array(-0.7), np.array(0.9)), ()),
        )
    ],
    Case(
        "fake_quant gradient",  # which has no gradient in TensorFlow
        lambda tf, g, x: [
            tf.stop_gradient(each) for each in tf.quantization.fake_quant_with_min_max_vars_gradient(g, x, -0.5, 0.5)
        ][1],
        (anything(3, 4), anything(3, 4)),
        dtypes=("float32",),
        order=0,
        second=False,
    ),
    # -- sequences: TensorFlow's gradient is float32 alone, and has no derivative; finite differences check both --
    *[
        Case(
            f"ctc_loss {label}",
            lambda tf, x, arguments=arguments: tf.nn.ctc_loss(logits=x, **arguments),
            (anything(*shape),),
            dtypes=("float32",),
            second=False,
        )
        for label, shape, arguments in (
            ("", (6, 2, 4), {**SPELLED, "logit_length": [6, 5]}),
            ("batch major", (2, 6, 4), {**SPELLED, "logit_length": [6, 5], "logits_time_major": False}),
            ("last is blank", (6, 2, 5), {**SPELLED, "logit_length": [6, 5], "blank_index": -1}),
            ("blank in the middle", (6, 2, 6), {**SPELLED, "logit_length": [6, 5], "blank_index": 4}),
            ("just enough time", (4, 2, 4), {**SPELLED, "logit_length": [4, 2]}),
            ("longer than time", (5, 2, 4), {**SPELLED, "logit_length": [9, 4]}),
            ("nothing to say", (3, 2, 4), {**SPELLED, "label_length": [0, 1], "logit_length": [3, 2]}),
            ("no time, nothing to say", (3, 2, 4), {**SPELLED, "label_length": [0, 1], "logit_length": [0, 3]}),
        )
    ],
    Case(
        "ctc_loss far from certain",
        lambda tf, x: tf.nn.ctc_loss(logits=60 * x, logit_length=[6, 5], **SPELLED),
        (anything(6, 2, 4),),
        dtypes=("float32",),
        order=0,
    ),
    # TensorFlow's loss is some 700 where no path is possible, and some of its gradients then point nowhere.
    Case(
        "ctc_loss impossible",
        lambda tf, x: tf.where(
            tf.math.is_inf(loss := tf.nn.ctc_loss(logits=x, logit_length=[3, 2], **SPELLED)), tf.zeros_like(loss), loss
        ),
        (anything(6, 2, 4),),
        tensorflow=False,
    ),
    Case(
        "ctc_loss half",
        lambda tf, x: tf.nn.ctc_loss(logits=x, logit_length=[6, 5], **SPELLED),
        (anything(6, 2, 4),),
        dtypes=("float16", "bfloat16"),
        tensorflow=False,
        order=0,
    ),
    Case(
        "ctc_loss no labels",
        lambda tf, x: tf.nn.ctc_loss(np.zeros((2, 0), np.int32), x, [0, 0], [3, 2]),
        (anything(3, 2, 4),),
        tensorflow=False,
    ),
    Case(
        "ctc_loss no time",
        lambda tf, x: tf.nn.ctc_loss([[1]], x, [0], [0]),
        (anything(0, 1, 4),),
        tensorflow=False,
    ),
    Case(
        "ctc_loss no sequences",
        lambda tf, x: tf.nn.ctc_loss(np.zeros((0, 2), np.int32), x, [], []),
        (anything(3, 0, 4),),
        tensorflow=False,
    ),
    *[
        Case(
            f"ctc_unique_labels {np.shape(rows)}",
            lambda tf, x, rows=rows: tf.nn.ctc_unique_labels(rows),
            (anything(1),),
            order=0,
        )
        for rows in ([[1, 2, 2], [3, 3, 3]], [[3, 4, 4, 3], [1, 2, 3, 3]], np.zeros((2, 0), np.int32))
    ],
    *[
        Case(
            f"collapse_repeated {lengths}",
            lambda tf, x, lengths=lengths: tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [1, 2, 3, 3, 3]], lengths),
            (anything(1),),
            order=0,
        )
        for lengths in ([5, 3], [2, 1], [0, 0])
    ],
    Case(
        "collapse_repeated of int64",
        lambda tf: tf.nn.collapse_repeated(tf.constant([[1, 1, 2]], tf.int64), tf.constant([3], tf.int64)),
        (),
        order=0,
    ),
    # -- attention: not one of TensorFlow's functions --
    *[
        Case(
            f"dot_product_attention {name}",
            functools.partial(_attention, **options),
            (anything(2, 3, 4, 5), anything(2, 6, 4, 5), anything(2, 6, 4, 5)),
            tensorflow=False,
        )
        for name, options in {
            "plain": {},
            "causal": {"is_causal": True},
            "scaled": {"scale": 0.3},
            "masked": {"mask": [[True, False, True, True, False, True]] * 3},
            "masked and causal": {"mask": [[[[False, True, True, True, True, True]]]], "is_causal": True},
        }.items()
    ],
    Case(
        "dot_product_attention biased",
        lambda tf, q, k, v, bias: tf.nn.dot_product_attention(q, k, v, bias, is_causal=True),
        (anything(2, 3, 4, 5), anything(2, 6, 4, 5), anything(2, 6, 4, 5), anything(4, 1, 6)),
        tensorflow=False,
    ),
    Case(
        "dot_product_attention with shared heads",
        lambda tf, q, k, v: tf.nn.dot_product_attention(q, k, v),
        (anything(1, 3, 4, 5), anything(1, 2, 2, 5), anything(1, 2, 2, 5)),
        tensorflow=False,
    ),
    Case(
        "dot_product_attention without a batch",
        lambda tf, q, k, v: tf.nn.dot_product_attention(q, k, v, mask=[[[True, False], [True, True], [False, True]]]),
        (anything(3, 2, 5), anything(2, 2, 5), anything(2, 2, 5)),
        tensorflow=False,
    ),
    Case(
        "dot_product_attention of nothing",
        lambda tf, q, k, v: tf.nn.dot_product_attention(q, k, v),
        (anything(0, 3, 2, 5), anything(0, 2, 2, 5), anything(0, 2, 2, 5)),
        tensorflow=False,
    ),
]

BAD_INPUT = [
    BadInput(
        "dot_product_attention ranks",
        lambda tf: tf.nn.dot_product_attention(tf.ones((2, 3)), tf.ones((2, 3)), tf.ones((2, 3))),
        "query, key and value must be [batch, length, heads, width] or [length, heads, width], got shapes [2,3]",
        tensorflow=False,
    ),
    BadInput(
        "dot_product_attention heads",
        lambda tf: tf.nn.dot_product_attention(tf.ones((1, 2, 3, 4)), tf.ones((1, 2, 2, 4)), tf.ones((1, 2, 2, 4))),
        "the number of heads a divisor of 3",
        tensorflow=False,
    ),
    BadInput(
        "dot_product_attention mask",
        lambda tf: tf.nn.dot_product_attention(*[tf.ones((1, 2, 3, 4))] * 3, mask=tf.ones((5, 5), tf.bool)),
        "mask [5,5] does not broadcast to [batch, heads, queries, keys] = [1,3,2,2]",
        tensorflow=False,
    ),
    BadInput(
        "dot_product_attention mask of numbers",
        lambda tf: tf.nn.dot_product_attention(*[tf.ones((1, 2, 3, 4))] * 3, mask=tf.ones((2, 2))),
        "mask must be bool",
        ValueError,
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss label",
        lambda tf: tf.nn.ctc_loss([[1, 7]], tf.ones((5, 1, 4)), [2], [5]),
        "Received a label value of 7 which is outside the valid range of [0, 4)",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss blank label",
        lambda tf: tf.nn.ctc_loss([[1, 2]], tf.ones((5, 1, 4)), [2], [5], blank_index=2),
        "Received a label value of 2 which is the blank",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss label length",
        lambda tf: tf.nn.ctc_loss([[1, 2]], tf.ones((5, 1, 4)), [3], [5]),
        "label_length 3 is outside [0, 2]",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss blank",
        lambda tf: tf.nn.ctc_loss([[1, 2]], tf.ones((5, 1, 4)), [2], [5], blank_index=9),
        "blank_index 9 is outside the 4 classes",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss rank",
        lambda tf: tf.nn.ctc_loss([[1, 2]], tf.ones((5, 4)), [2], [5]),
        "logits must have 3 dimensions",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss batch",
        lambda tf: tf.nn.ctc_loss([[1, 2]], tf.ones((5, 2, 4)), [2], [5, 5]),
        "labels must have shape [2,?], got [1,2]",
        tensorflow=False,
    ),
    BadInput(
        "ctc_loss float labels",
        lambda tf: tf.nn.ctc_loss([[1.0]], tf.ones((5, 1, 4)), [1], [5]),
        "Value for attr 'TI' of float is not in the list of allowed values",
    ),
    BadInput(
        "candidate sampler range",
        lambda tf: tf.random.log_uniform_candidate_sampler([[1]], 1, 11, True, 10),
        "Sampler's range is too small.",
    ),
    BadInput(
        "candidate sampler class",
        lambda tf: tf.random.uniform_candidate_sampler([[20]], 1, 5, True, 10),
        "`true_candidate` out of range [0, 10), received 20",
    ),
    BadInput(
        "candidate sampler vector",
        lambda tf: tf.random.log_uniform_candidate_sampler(np.array([1, 2]), 1, 5, True, 10),
        "true_classes must be a matrix",
    ),
    BadInput(
        "candidate sampler columns",
        lambda tf: tf.random.all_candidate_sampler(np.array([[1, 2]]), 1, 5, True),
        "true_classes must have num_true columns, expected: 2 was: 1",
    ),
    BadInput(
        "candidate sampler dtype",
        lambda tf: tf.random.log_uniform_candidate_sampler(tf.constant([[1]]), 1, 5, True, 10),
        "was expected to be a int64 tensor but is a int32 tensor",
    ),
    BadInput(
        "candidate sampler nothing",
        lambda tf: tf.random.log_uniform_candidate_sampler([[1]], 1, 0, True, 10),
        "Value for attr 'num_sampled' of 0 must be at least minimum 1",
    ),
    BadInput(
        "compute_accidental_hits vector",
        lambda tf: tf.nn.compute_accidental_hits(np.array([1, 2]), [2, 3], 1),
        "true_candidates must be a batch_size * num_true matrix",
    ),
    BadInput(
        "softmax_cross_entropy shapes",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones((3, 3)), tf.ones((2, 3))),
        "logits and labels must be broadcastable: logits_size=[2,3] labels_size=[3,3]",
    ),
    BadInput(
        "softmax_cross_entropy integers",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits([[0, 1]], [[1, 2]]),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput(
        "softmax_cross_entropy axis",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones((2, 3)), tf.ones((2, 3)), axis=5),
        "",
    ),
    BadInput(
        "softmax_cross_entropy scalar",
        lambda tf: tf.nn.softmax_cross_entropy_with_logits(tf.ones(()), tf.ones(())),
        "",
    ),
    BadInput(
        "sparse_softmax_cross_entropy label beyond",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([1, 10, 0], tf.ones((3, 10))),
        "Received a label value of 10 which is outside the valid range of [0, 10).  Label values: 1 10 0",
    ),
    BadInput(
        "sparse_softmax_cross_entropy negative label",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([[-1, 4]], tf.ones((1, 2, 3))),
        "Received a label value of -1 which is outside the valid range of [0, 3).  Label values: -1 4",
    ),
    BadInput(
        "sparse_softmax_cross_entropy float labels",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0.0], tf.ones((1, 3))),
        "Value for attr 'Tlabels' of float is not in the list of allowed values: int32, int64",
    ),
    BadInput(
        "sparse_softmax_cross_entropy rank",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([[0], [1]], tf.ones((2, 3))),
        "`labels.shape.rank` must equal `logits.shape.rank - 1`. Received: labels.shape=(2, 1) of rank 2",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy shape",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1, 0], tf.ones((2, 3))),
        "`labels.shape` must equal `logits.shape` except for the last dimension. Received: labels.shape=(3,)",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy scalar",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits(0, tf.ones(())),
        "`logits` cannot be a scalar.",
        ValueError,
    ),
    BadInput(
        "sparse_softmax_cross_entropy no classes",
        lambda tf: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 0], tf.ones((2, 0))),
        "Must have at least one class, but got logits shape [2,0]",
    ),
    BadInput(
        "sigmoid_cross_entropy shapes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones(3), tf.ones((2, 3))),
        "`logits` and `labels` must have the same shape, received ((2, 3) vs (3,)).",
        ValueError,
    ),
    BadInput(
        "sigmoid_cross_entropy dtypes",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones(3, tf.float64), tf.ones(3)),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    BadInput(
        "sigmoid_cross_entropy without logits",
        lambda tf: tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0]),
        "Both `labels` and `logits` must be provided for sigmoid_cross_entropy_with_logits",
        ValueError,
    ),
    BadInput(
        "weighted_cross_entropy shapes",
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(tf.ones(3), tf.ones((2, 3)), 1.0),
        "`logits` and `labels` must have the same shape, received ((2, 3) vs (3,)).",
        ValueError,
    ),
    BadInput(
        "weighted_cross_entropy dtypes",
        lambda tf: tf.nn.weighted_cross_entropy_with_logits(tf.ones(3, tf.float64), tf.ones(3), 1.0),
        "cannot compute Mul as input #1(zero-based) was expected to be a double tensor but is a float tensor",
    ),
    BadInput(
        "log_poisson_loss shapes",
        lambda tf: tf.nn.log_poisson_loss(tf.ones(3), tf.ones((2, 3))),
        "`log_input` and `targets` must have the same shape, received ((2, 3) vs (3,)).",
        ValueError,
    ),
    BadInput(
        "log_poisson_loss dtypes",
        lambda tf: tf.nn.log_poisson_loss([1, 2], [1.0, 2.0]),
        "cannot compute Mul as input #1(zero-based) was expected to be a float tensor but is a int32 tensor",
    ),
    BadInput(
        "compute_average_loss scalar",
        lambda tf: tf.nn.compute_average_loss(1.0),
        "Expected a tensor with at least rank 1. Received per_example_loss=1.0 with rank 0",
        ValueError,
    ),
    BadInput(
        "compute_average_loss negative batch",
        lambda tf: tf.nn.compute_average_loss([1.0], global_batch_size=-1),
        "global_batch_size must be non-negative",
    ),
    BadInput(
        "compute_average_loss batch of floats",
        lambda tf: tf.nn.compute_average_loss([1.0], global_batch_size=1.5),
        "global_batch_size must be an integer",
        TypeError,
    ),
    BadInput(
        "compute_average_loss several batches",
        lambda tf: tf.nn.compute_average_loss([1.0], global_batch_size=[2]),
        "global_batch_size must be scalar",
        ValueError,
    ),
    BadInput(
        "isotonic_regression axis",
        lambda tf: tf.nn.isotonic_regression([[3.0, 1.0]], axis=5),
        "`dim` must be in the range [-2, 2) where 2 is the number of dimensions in the input. Received: dim=5",
    ),
    BadInput(
        "isotonic_regression complex",
        lambda tf: tf.nn.isotonic_regression(tf.constant([1j])),
        "Value for attr 'T' of complex128 is not in the list of allowed values",
    ),
    BadInput(
        "relu6 bool", lambda tf: tf.nn.relu6([True]), "Value for attr 'T' of bool is not in the list of allowed values"
    ),
    BadInput("elu int", lambda tf: tf.nn.elu([1]), "Value for attr 'T' of int32 is not in the list of allowed values"),
    BadInput(
        "selu int", lambda tf: tf.nn.selu([1]), "Value for attr 'T' of int32 is not in the list of allowed values"
    ),
    BadInput("gelu int", lambda tf: tf.nn.gelu([1]), "`features.dtype` must be a floating point tensor.", ValueError),
    BadInput(
        "silu int", lambda tf: tf.nn.silu([1]), "Value for attr 'T' of int32 is not in the list of allowed values"
    ),
    BadInput("silu none", lambda tf: tf.nn.silu(None), "Attempt to convert a value (None)", ValueError),
    BadInput(
        "leaky_relu bool",
        lambda tf: tf.nn.leaky_relu([True]),
        "Value for attr 'T' of bool is not in the list of allowed values",
    ),
    BadInput(
        "leaky_relu alpha",
        lambda tf: tf.nn.leaky_relu([1.0], tf.constant(0.1)),
        "Expected float for argument 'alpha' not",
        TypeError,
    ),
    BadInput(
        "crelu scalar",
        lambda tf: tf.nn.crelu(1.0),
        "ConcatOp : ",
    ),
    BadInput(
        "crelu axis",
        lambda tf: tf.nn.crelu([[1.0]], axis=5),
        "ConcatOp : Expected concatenating dimensions in the range [-2, 2), but got 5",
    ),
    BadInput(
        "bias_add format",
        lambda tf: tf.nn.bias_add([[1.0]], [1.0], "XYZ"),
        "`data_format` must be of the form `N...C` or `NC...`. Received: data_format=XYZ",
        ValueError,
    ),
    BadInput("bias_add vector", lambda tf: tf.nn.bias_add([1.0], [1.0]), "Input tensor must be at least 2D: [1]"),
    BadInput("bias_add matrix", lambda tf: tf.nn.bias_add([[1.0]], [[1.0]]), "Biases must be 1D: [1,1]"),
    BadInput(
        "bias_add size",
        lambda tf: tf.nn.bias_add([[1.0]], [1.0, 2.0]),
        "Must provide as many biases as the last dimension of the input tensor: [2] vs. [1,1]",
    ),
    BadInput(
        "bias_add dtypes",
        lambda tf: tf.nn.bias_add(tf.ones((2, 3)), tf.ones(3, tf.float64)),
        "cannot compute BiasAdd as input #1(zero-based) was expected to be a float tensor but is a double tensor",
    ),
    BadInput(
        "bias_add bool",
        lambda tf: tf.nn.bias_add([[True]], [True]),
        "Value for attr 'T' of bool is not in the list of allowed values",
    ),
    BadInput(
        "batch_normalization dtypes",
        lambda tf: tf.nn.batch_normalization(tf.ones((2, 2)), tf.ones(2, tf.float64), tf.ones(2), None, None, 1e-3),
        "cannot compute Mul as input #1(zero-based) was expected to be a double tensor but is a float tensor",
    ),
    BadInput(
        "fake_quant bounds",
        lambda tf: tf.quantization.fake_quant_with_min_max_args([1.0], 3.0, -1.0),
        "min has to be smaller than max, was: 3 >= -1",
    ),
    BadInput(
        "fake_quant bits",
        lambda tf: tf.quantization.fake_quant_with_min_max_args([1.0], num_bits=17),
        "num_bits must be between 2 and 16, inclusive",
    ),
    BadInput(
        "fake_quant rank",
        lambda tf: tf.quantization.fake_quant_with_min_max_vars([1.0], [-1.0], [1.0]),
        "`min` must be rank 0 but is rank 1",
    ),
    BadInput(
        "fake_quant channels",
        lambda tf: tf.quantization.fake_quant_with_min_max_vars_per_channel([[1.0, 2.0]], [-1.0], [1.0]),
        "min has incorrect size, expected 2 was 1",
    ),
    BadInput(
        "fake_quant int",
        lambda tf: tf.quantization.fake_quant_with_min_max_args(tf.constant([1])),
        "Tensor conversion requested dtype float32 for Tensor with dtype int32",
        ValueError,
    ),
    BadInput("lrn rank", lambda tf: tf.nn.lrn(tf.ones((2, 3))), "in must be 4-dimensional"),
    BadInput(
        "lrn int",
        lambda tf: tf.nn.lrn(tf.ones((1, 1, 1, 3), tf.int32)),
        "Value for attr 'T' of int32 is not in the list of allowed values",
    ),
    BadInput("lrn radius", lambda tf: tf.nn.lrn(tf.ones((1, 1, 1, 3)), -1), "depth_radius = -1"),
    BadInput(
        "dropout all",
        lambda tf: tf.nn.dropout([1.0], 1.0),
        "`rate` must be a scalar tensor or a float in the range [0, 1). Received: rate=1.0",
        ValueError,
    ),
    BadInput(
        "dropout int",
        lambda tf: tf.nn.dropout([1], 0.5),
        "`x.dtype` must be a floating point tensor as `x` will be scaled.",
        ValueError,
    ),
    BadInput("dropout rates", lambda tf: tf.nn.dropout([1.0], tf.constant([0.5])), "must have rank 0", ValueError),
    BadInput(
        "dropout rate dtype",
        lambda tf: tf.nn.dropout([1.0], tf.constant(0.5, tf.float64)),
        "`x.dtype` must be compatible with `rate.dtype`.",
        ValueError,
    ),
    BadInput(
        "dropout no rate",
        lambda tf: tf.nn.dropout([1.0], None),
        "`rate` must be a scalar or scalar tensor. Received: rate=None",
        ValueError,
    ),
    BadInput("dropout noise", lambda tf: tf.nn.dropout(tf.ones((3, 4)), 0.5, (2, 1)), "must be broadcastable"),
]
