"""XLA kernels for images: resizing, filters along an axis, colours."""

from __future__ import annotations

from typing import Any

import numpy as np

from whygrad.engines.numpy_images import resizing_matrix, resizing_taps
from whygrad.engines.numpy_linalg import in_float32
from whygrad.engines.projection import project_image

Array = Any


class ImageKernels:
    """The part of the XLA engine for images."""

    jax: Any
    jnp: Any
    lax: Any

    # -- resizing: along each axis, every output element is a weighted sum of a few neighbours --

    def resize_image(self, x: Array, *, size: tuple[int, int], method: str) -> Array:
        """An image [height, width, channels], or a batch of them, at another size."""
        if method == "nearest":
            rows, columns = (resizing_taps(method, x.shape[i - 3], size[i])[0][0] for i in (0, 1))
            return self.jnp.take(self.jnp.take(x, rows, axis=-3, mode="clip"), columns, axis=-2, mode="clip")
        return self._weighted(x, *(resizing_matrix(method, x.shape[i - 3], size[i], False, x.dtype) for i in (0, 1)))

    def resize_image_transpose(self, g: Array, *, size: tuple[int, int], method: str) -> Array:
        """The transpose of `resize_image`: the gradient of images of this `size`, for the upstream gradient g."""
        wide = in_float32(g)
        return self._weighted(
            wide, *(resizing_matrix(method, size[i], g.shape[i - 3], True, wide.dtype) for i in (0, 1))
        ).astype(g.dtype)

    def _weighted(self, x: Array, rows: Any, columns: Any) -> Array:
        """Apply one matrix to the rows of each image and one to its columns, in the precision of x."""
        exact = self.lax.Precision.HIGHEST
        return self.jnp.einsum("yh,xw,...hwc->...yxc", rows.toarray(), columns.toarray(), x, precision=exact)

    def project_image(self, x: Array, transforms: Array, **attributes: Any) -> Array:
        """Images seen through projective transforms."""
        return project_image(self.jnp, x, transforms, **attributes)

    # -- a filter of constant weights along one axis --

    def correlate_axis(self, x: Array, *, axis: int, weights: tuple[float, ...]) -> Array:
        """The correlation with `weights` along `axis`, without padding."""
        size = x.shape[axis] - len(weights) + 1
        parts = [
            self.lax.slice_in_dim(x, i, i + size, axis=axis) * np.asarray(weight, x.dtype)
            for i, weight in enumerate(weights)
            if weight
        ]
        return sum(parts)

    # -- colours --

    def rgb_to_hsv(self, x: Array) -> Array:
        """Hue, saturation and value of colours whose last axis is red, green, blue."""
        where = self.jnp.where
        hue, low, high = self._hue(x)
        saturation = where(high > 0, (high - low) / where(high > 0, high, 1), 0)
        return self.jnp.stack([hue, saturation, high], axis=-1).astype(x.dtype)

    def hsv_to_rgb(self, x: Array) -> Array:
        """The inverse of `rgb_to_hsv`."""
        hue, saturation, value = x[..., 0:1], x[..., 1:2], x[..., 2:3]
        return ((1 - saturation) + saturation * self._pure(hue)) * value

    def adjust_contrast(self, x: Array, factor: Array) -> Array:
        """Scale each channel's deviation from its mean over the image by `factor`."""
        mean = self.jnp.mean(x, axis=(-3, -2), keepdims=True, dtype=np.float32).astype(x.dtype)
        return (x - mean) * factor.astype(x.dtype) + mean

    def adjust_saturation(self, x: Array, factor: Array) -> Array:
        """Multiply the saturation by `factor`."""
        hsv = self.rgb_to_hsv(x)
        saturation = self.jnp.clip(hsv[..., 1] * factor.astype(x.dtype), 0, 1)
        return self.hsv_to_rgb(self.jnp.stack([hsv[..., 0], saturation, hsv[..., 2]], axis=-1))

    def adjust_hue(self, x: Array, delta: Array) -> Array:
        """Rotate the hue by `delta`, a fraction of the full circle."""
        hue, low, high = self._hue(x)
        turned = (hue + delta.astype(x.dtype)) % 1
        return low[..., None] + (high - low)[..., None] * self._pure(turned[..., None])

    def _hue(self, x: Array) -> tuple[Array, Array, Array]:
        """The hue in [0, 1], and the smallest and largest channel."""
        where = self.jnp.where
        red, green, blue = x[..., 0], x[..., 1], x[..., 2]
        low, high = self.jnp.min(x, axis=-1), self.jnp.max(x, axis=-1)
        spread = high - low
        factor = 1 / (6 * where(spread > 0, spread, 1)).astype(x.dtype)
        from_green = factor * (blue - red) + np.asarray(2 / 6, x.dtype)
        from_blue = factor * (red - green) + np.asarray(4 / 6, x.dtype)
        hue = where(red == high, factor * (green - blue), where(green == high, from_green, from_blue))
        hue = where(spread > 0, hue, 0)
        return where(hue < 0, hue + 1, hue).astype(x.dtype), low, high

    def _pure(self, hue: Array) -> Array:
        """The colour of a hue at full saturation and value."""
        angle = hue * 6
        channels = [abs(angle - 3) - 1, 2 - abs(angle - 2), 2 - abs(angle - 4)]
        return self.jnp.clip(self.jnp.concatenate(channels, axis=-1), 0, 1).astype(hue.dtype)
