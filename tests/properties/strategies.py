"""Shared generators: shapes that broadcast, axes, indices, and arrays with values that arithmetic keeps exact."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

shapes = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)
full_shapes = hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4)

# Small whole numbers: sums and products of a few are exact in float64, so results can be compared for equality.
whole = st.integers(-4, 4).map(float)


def arrays(shape):
    return hnp.arrays(np.float64, shape, elements=whole)


@st.composite
def broadcastable_pairs(draw):
    """Two arrays whose shapes broadcast."""
    shapes = draw(hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=4, min_side=0, max_side=3)).input_shapes
    return tuple(draw(arrays(shape)) for shape in shapes)


@st.composite
def arrays_with_axes(draw):
    """An array and a set of its axes, some counted from the end; or None for all."""
    x = draw(arrays(draw(full_shapes)))
    axes = draw(st.none() | st.lists(st.integers(0, x.ndim - 1), unique=True, max_size=x.ndim))
    if axes is not None:
        axes = [axis - x.ndim if draw(st.booleans()) else axis for axis in axes]
    return x, axes


@st.composite
def arrays_with_basic_index(draw):
    """An array and a basic index: ints, slices with any step, Ellipsis, None."""
    x = draw(arrays(draw(full_shapes)))
    index = draw(hnp.basic_indices(x.shape, allow_newaxis=True, allow_ellipsis=True))
    return x, index


@st.composite
def arrays_with_rows(draw):
    """An array, an axis and indices along it, repeated ones among them."""
    x = draw(arrays(draw(full_shapes)))
    axis = draw(st.integers(-x.ndim, x.ndim - 1))
    indices = draw(hnp.arrays(np.int64, draw(shapes), elements=st.integers(0, x.shape[axis] - 1)))
    return x, axis, indices
