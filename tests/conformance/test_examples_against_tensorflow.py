"""The programs in `examples/` have the same losses when TensorFlow is their `tf`."""

import numpy as np
import pytest

from tests.support.examples import NAMES, first_losses, load

pytestmark = pytest.mark.tensorflow

# Single precision, but for the pendulum's doubles. The steps build on one another, so rounding differences grow a little.
TOLERANCE = {"physics_fit": 1e-9}


@pytest.mark.parametrize("name", NAMES)
def test_same_losses_along_training(real_tf, name, monkeypatch):
    ours = first_losses(name)
    monkeypatch.setattr(load("common"), "tf", real_tf)
    monkeypatch.setattr(load(name), "tf", real_tf)
    theirs = first_losses(name)
    assert len(ours) >= 4
    assert not np.array_equal(theirs[0], theirs[-1])  # it does learn
    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCE.get(name, 1e-4))
