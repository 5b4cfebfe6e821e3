"""Images beyond the table of ops: rules in float64 where the public function is float32, draws, missing gradients."""

import numpy as np
import pytest

import whygrad as tf
from tests.support.gradients import check_gradients
from whygrad.ops.primitive import apply
from whygrad.ops.recorded import every_primitive

KERNELS = [
    "bilinear",
    "bicubic",
    "area",
    "triangle antialias",
    "keyscubic antialias",
    "lanczos3",
    "gaussian",
    "mitchellcubic",
]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("size", [(3, 9), (8, 2)])
def test_resizing_and_its_transpose_are_each_others_rules(kernel, size):
    images = np.random.default_rng(0).normal(size=(2, 6, 5, 2))
    resize = every_primitive()["resize_image"]
    check_gradients(lambda x: apply(resize, x, size=size, method=kernel), [images])
    check_gradients(lambda x: apply(every_primitive()["resize_image_transpose"], x, size=size, method=kernel), [
        np.random.default_rng(1).normal(size=(2, 3, 4, 2))
    ])  # fmt: skip


@pytest.mark.parametrize("kernel", KERNELS)
def test_an_even_image_stays_even_at_any_size(kernel):
    resized = apply(every_primitive()["resize_image"], tf.ones((1, 7, 5, 1)), size=(4, 9), method=kernel)
    np.testing.assert_allclose(resized.numpy(), np.ones((1, 4, 9, 1)), rtol=1e-6)


def test_a_pixel_that_is_not_finite_touches_its_neighbours_alone():
    picture = np.zeros((1, 6, 6, 1), np.float32)
    picture[0, 0, 0] = np.inf
    resized = tf.image.resize(picture, (12, 12)).numpy()[0, :, :, 0]
    assert not np.isfinite(resized[0, 0])
    assert np.isfinite(resized[4:, :]).all()
    assert np.isfinite(resized[:, 4:]).all()


def test_second_derivative_through_a_resized_image():
    x = tf.constant(np.random.default_rng(0).normal(size=(1, 4, 4, 1)).astype("float32"))
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(tf.image.resize(x, (7, 7)) ** 3)
        gradient = inner.gradient(y, x)
    second = outer.gradient(gradient, x)
    # Of the sum of cubes of a linear map A: A' (6 (A x) * (A 1)), and A 1 = 1.
    expected = apply(
        every_primitive()["resize_image_transpose"], 6 * tf.image.resize(x, (7, 7)), size=(4, 4), method="bilinear"
    )
    np.testing.assert_allclose(second.numpy(), expected.numpy(), rtol=1e-5, atol=1e-5)


def test_a_batch_is_flipped_image_by_image():
    images = tf.reshape(tf.range(64.0), (32, 1, 2, 1))
    flipped = tf.image.random_flip_left_right(images, seed=3).numpy()[:, 0, :, 0]
    as_they_were = (flipped == images.numpy()[:, 0, :, 0]).all(axis=1)
    mirrored = (flipped == images.numpy()[:, 0, ::-1, 0]).all(axis=1)
    assert (as_they_were ^ mirrored).all()
    assert 4 < mirrored.sum() < 28


def test_a_random_crop_is_a_part():
    picture = tf.reshape(tf.range(30), (5, 6, 1))
    crop = tf.image.random_crop(picture, (2, 3, 1), seed=4).numpy()[..., 0]
    top, left = divmod(int(crop[0, 0]), 6)
    np.testing.assert_array_equal(crop, picture.numpy()[top : top + 2, left : left + 3, 0])


def test_the_refused_gradient_names_the_op_and_the_line():
    x = tf.Variable(tf.ones((4, 4, 3)))
    with tf.GradientTape() as tape:
        y = tf.image.resize(x, (2, 2), method="area")
    with pytest.raises(LookupError, match="gradient registry has no entry for: ResizeArea") as caught:
        tape.gradient(y, x)
    assert caught.value.record.plan.primitive.name == "resize_area"


def test_ssim_is_one_of_equal_images_and_less_of_others():
    a = tf.random.stateless_uniform((2, 16, 16, 3), seed=(1, 2))
    b = tf.random.stateless_uniform((2, 16, 16, 3), seed=(3, 4))
    np.testing.assert_allclose(tf.image.ssim(a, a, 1.0).numpy(), [1.0, 1.0], rtol=1e-6)
    assert (tf.image.ssim(a, b, 1.0).numpy() < 0.5).all()


def test_sizes_that_cannot_exist_or_do_not_fit_are_refused_at_once():
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than 2\\*\\*63 - 1 elements"):
        tf.image.resize(tf.ones((2, 2, 2, 2)), (2**31 - 1, 2**31 - 1), antialias=True)
    with pytest.raises(tf.errors.ResourceExhaustedError, match="OOM when allocating"):
        tf.image.resize(tf.ones((2, 2, 2, 2)), (2**28, 2**28), antialias=True)
