"""What a help writes in place of functions that take values off the tape."""

import pytest

from whygrad.why.source.tensor_functions import as_numpy, as_tensors


@pytest.mark.parametrize(
    ("left", "functions", "instead"),
    [
        ("np.mean(e)", ["np.mean"], "write tf.reduce_mean for np.mean"),
        ("w.numpy()", [".numpy"], "leave out .numpy()"),
        ("w.numpy()", [".numpy", ".item"], "leave out .numpy().item()"),
        ("float(x)", ["math.exp"], "write tf.exp for math.exp and leave out float()"),
        ("w.numpy()", ["np.fft.fft"], "write tf.signal.fft for np.fft.fft and leave out .numpy()"),
        ("w.numpy()", ["np.unwrap"], "leave out .numpy(), use tf.* in place of np.* and math.*"),
        ("x", [], "use tf.* in place of np.* and math.*"),
    ],
)
def test_functions_have_counterparts(left, functions, instead):
    assert as_tensors(left, functions) == instead


def test_functions_that_numpy_has_are_written_with_its_name():
    text = "tf.sqrt(tf.reduce_sum(tf.square(x), axis=-1) + 1e-12) or tf.nn.softplus(x)"
    assert as_numpy(text, "numpy") == "numpy.sqrt(numpy.sum(numpy.square(x), axis=-1) + 1e-12) or tf.nn.softplus(x)"
