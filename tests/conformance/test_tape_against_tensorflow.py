"""The tests of the tape hold on TensorFlow too: each is run again with TensorFlow in whygrad's place."""

import inspect

import pytest

from tests.ops import test_control
from tests.tape import test_custom_gradient, test_forward, test_gradient_tape, test_jacobian

pytestmark = pytest.mark.tensorflow

# What whygrad promises beyond TensorFlow, or looks at inside whygrad; with the reason why TensorFlow cannot pass.
WHYGRAD_ALONE = {
    "test_the_error_of_a_tape_that_was_never_entered": "TensorFlow says that the tape was used twice",
    "test_sources_and_targets_must_be_tensors": "TensorFlow raises AttributeError",
    "test_none_as_target_or_source": "TensorFlow checks the sources later and with another sentence",
    "test_upstream_gradient_of_another_shape": "TensorFlow returns a gradient of another shape, or fails inside",
    "test_upstream_gradient_of_another_dtype": "TensorFlow fails inside the rule that meets it",
    "test_upstream_gradients_of_another_count": "TensorFlow ignores the extra ones",
    "test_unknown_unconnected_gradients": "TensorFlow has used up the tape by then",
    "test_an_exception_leaves_no_tape_behind": "looks at whygrad's records",
    "test_gradient_frees_the_records_of_a_tape": "looks at whygrad's memory",
    "test_a_dropped_tape_frees_its_memory_at_once": "looks at whygrad's memory",
    "test_a_long_chain_needs_no_recursion": "takes TensorFlow too long",
    "test_threads_with_their_own_tapes_do_not_disturb_each_other": "takes TensorFlow too long",
    "test_wrong_shape_names_the_function_and_both_shapes": "TensorFlow returns the wrong shape",
    "test_wrong_dtype": "TensorFlow returns the wrong dtype",
    "test_variables_that_the_gradient_function_does_not_accept": "another sentence",
    "test_a_function_that_returns_no_pair": "another error",
    "test_recompute_grad_keeps_nothing_of_the_inside": "looks at whygrad's records",
    "test_conversions_to_numpy_are_recorded_with_their_line": "looks at whygrad's records",
    "test_records_know_the_users_line": "looks at whygrad's records",
    "test_higher_order": "check_gradients is whygrad's",
    "test_recompute_grad_to_higher_order": "check_gradients is whygrad's",
    "test_upstream_gradients_in_a_structure_none_means_ones": "TensorFlow takes None for a single target only",
    "test_python_and_numpy_values": "TensorFlow returns the Python number that the gradient function gave",
    "test_jacobian_frees_the_records_of_a_tape": "looks at whygrad's records",
    "test_one_target": "TensorFlow raises AttributeError",
    "test_a_rule_that_is_wrong_is_refused": "TensorFlow returns the wrong shape",
    "test_py_function_that_leaves_for_numpy_has_zeros_of_the_sources_shape": "TensorFlow's is a scalar",
    "test_py_function_with_an_integer_input": "TensorFlow fails inside",
    "test_py_function_second_derivative": "TensorFlow gives None",
    "test_an_error_inside_py_function_keeps_its_cause": "TensorFlow writes the cause into the message",
    "test_numpy_function_records_that_it_has_no_gradient": "looks at whygrad's records",
    "test_recomputed_functions": "TensorFlow refuses it",
    "test_a_tangent_has_its_primals_shape": "TensorFlow takes it, and fails or not inside",
    "test_primals_are_tensors": "TensorFlow raises AttributeError",
}

TESTS = [
    (module, name)
    for module in (test_gradient_tape, test_custom_gradient, test_jacobian, test_forward, test_control)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if name.startswith("test_") and name not in WHYGRAD_ALONE and not inspect.signature(function).parameters
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("module", "name"), TESTS, ids=lambda value: value if isinstance(value, str) else "")
def test_holds_on_tensorflow(real_tf, module, name, monkeypatch):
    monkeypatch.setattr(module, "tf", real_tf)
    getattr(module, name)()


def test_most_tests_are_compared():
    assert len(TESTS) >= 45
