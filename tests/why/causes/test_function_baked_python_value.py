"""The explanation of `function-baked-python-value`."""

import pytest

from tests.support.explanations import WrongValue, checks

# Line 1 of each program is empty.
CASES = {
    "a global that changes": WrongValue(
        """
        scale, w = 1.0, tf.Variable(2.0)

        @tf.function
        def loss():
            return w * scale

        for step in range(3):
            with tf.GradientTape() as tape:
                y = loss()
            tape.gradient(y, w)
            scale = scale * 0.5
        """,
        "function-baked-python-value",
        [(6, "scale", "read here")],
        {},
        ["`scale`", "1.0", "it is 0.5 now", "tf.Variable"],
    ),
}


@pytest.mark.parametrize("check", checks(CASES))
def test_explanation(check, tmp_path):
    check(tmp_path)
