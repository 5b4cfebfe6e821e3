"""The explanation of `variable-not-tracked`."""

from tests.support.programs import facts_of, traced, warned


def test_a_variable_that_is_not_in_the_list(tmp_path):
    (cause,) = traced(
        """
        class Model:
            def __init__(self):
                self.parts = {"w": tf.Variable([2.0, 3.0], name="w")}
            def variables(self):
                return [v for v in vars(self).values() if isinstance(v, tf.Variable)]
        model = Model()
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model.parts["w"])
        tape.gradient(loss, model.variables())
        """,
        tmp_path,
    )
    assert facts_of(cause) == (
        "variable-not-tracked",
        [
            (4, 'tf.Variable([2.0, 3.0], name="w")', "made here"),
            (10, "tape.gradient(loss, model.variables())", "asked here"),
        ],
        {"w": "float32 (2,)"},
    )
    assert "`model.variables()` holds no variables" in cause.sentence


def test_without_a_trace_the_cause_is_only_likely(tmp_path):
    (cause,) = warned(
        """
        w = tf.Variable([2.0, 3.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        tape.gradient(loss, [])
        """,
        tmp_path,
    )
    assert (cause.kind, cause.likely) == ("variable-not-tracked", True)
    assert [(site.line, site.text) for site in cause.sites] == [(5, "tape.gradient(loss, [])")]


def test_no_variables_at_all(tmp_path):
    (cause,) = traced(
        """
        x = tf.constant([2.0, 3.0])
        with tf.GradientTape() as tape:
            tape.watch(x)
            loss = tf.reduce_sum(x)
        tape.gradient(loss, [])
        """,
        tmp_path,
    )
    assert (cause.kind, cause.likely, cause.site.line) == ("variable-not-tracked", True, 6)
