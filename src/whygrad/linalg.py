"""`tf.linalg`: products, norms, decompositions and solvers of matrices."""

from whygrad import _public

_public.fill(__name__)
