"""The explanation of `source-inside-function`."""

from tests.support.programs import facts_of, traced

FORWARD = """
    w = tf.Variable([[0.5, 1.0], [2.0, -1.0]])

    @tf.function
    def forward(x):
        h = tf.tanh(x @ w)
        return h, tf.reduce_sum(h * h)

    with tf.GradientTape() as tape:
        hidden, score = forward(tf.constant([[1.0, 2.0]]))
    """


def test_a_result_of_the_same_call(tmp_path):
    (cause,) = traced(FORWARD + "    g = tape.gradient(score, hidden)\n", tmp_path)
    assert facts_of(cause)[:2] == (
        "source-inside-function",
        [
            (10, "forward(tf.constant([[1.0, 2.0]]))", "called here"),
            (11, "tape.gradient(score, hidden)", "asked here"),
        ],
    )
    assert "for the tape that call is one op" in cause.sentence
    assert "take the gradient inside `forward`" in cause.help


def test_gradients_through_results_of_one_call_are_whole(tmp_path):
    program = FORWARD.replace("with tf.GradientTape() as tape:", "with tf.GradientTape(persistent=True) as tape:")
    assert traced(program + "    g = tape.gradient(score, w), tape.gradient(hidden, w)\n", tmp_path) == []


def test_a_tensor_that_was_kept_while_tracing(tmp_path):
    program = """
        w, kept = tf.Variable(2.0), {}

        @tf.function
        def forward(x):
            kept["h"] = w * x
            return kept["h"] ** 2

        with tf.GradientTape() as tape:
            loss = forward(tf.constant(3.0))
        g = tape.gradient(loss, kept["h"])
        """
    first, second = traced(program, tmp_path)
    assert (first.kind, first.site.line, first.site.text) == ("source-inside-function", 6, "w * x")
    assert "no call of `forward` computes this tensor" in first.sentence
    assert second.kind == "python-side-effect"
