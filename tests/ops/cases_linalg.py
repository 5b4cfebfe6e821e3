"""Rows for `whygrad.ops.linalg_*` and `whygrad.ops.clipping`."""


from tests.support.cases import BadInput, Case, anything

PRODUCTS = [
    Case("matmul", lambda tf, a, b: tf.matmul(a, b), (anything(2, 3), anything(3, 4)), complex=True),
    Case("matmul operator", lambda tf, a, b: a @ b, (anything(2, 3), anything(3, 1))),
    Case("matmul half", lambda tf, a, b: a @ b, (anything(3, 40), anything(40, 2)), dtypes=("float16", "bfloat16"), order=1),
    Case("matmul batch", lambda tf, a, b: a @ b, (anything(2, 2, 3), anything(2, 3, 2)), complex=True),
    Case("matmul batch with one matrix", lambda tf, a, b: a @ b, (anything(2, 3, 2, 3), anything(3, 2)), complex=True),
    Case("matmul matrix with batch", lambda tf, a, b: a @ b, (anything(2, 3), anything(4, 3, 2))),
    Case("matmul broadcasting batches", lambda tf, a, b: a @ b, (anything(3, 1, 2, 2), anything(4, 2, 1)), complex=True),
    Case(
        "matmul transposed",
        lambda tf, a, b: tf.linalg.matmul(a, b, transpose_a=True, transpose_b=True),
        (anything(3, 2), anything(4, 3)),
        complex=True,
    ),
    Case(
        "matmul adjoint",
        lambda tf, a, b: tf.matmul(a, b, adjoint_a=True, adjoint_b=True),
        (anything(2, 3, 2), anything(2, 4, 3)),
        complex=True,
    ),
    Case("matmul empty rows", lambda tf, a, b: a @ b, (anything(0, 3), anything(3, 2))),
    Case("matmul empty sum", lambda tf, a, b: a @ b, (anything(2, 0), anything(0, 2))),
    Case("matmul empty batch", lambda tf, a, b: a @ b, (anything(0, 2, 3), anything(3, 2))),
    Case(
        "matmul of ints",
        lambda tf: [tf.matmul(tf.constant([[1, 2]], t), tf.constant([[3], [4]], t)) for t in ("int32", "int64")],
        (),
        order=0,
    ),
    Case("matvec", lambda tf, a, b: tf.linalg.matvec(a, b), (anything(2, 3), anything(3)), complex=True),
    Case("matvec batch", lambda tf, a, b: tf.linalg.matvec(a, b, transpose_a=True), (anything(2, 3, 4), anything(3))),
    Case("matrix_transpose", lambda tf, x: tf.linalg.matrix_transpose(x), (anything(2, 3, 4),), complex=True),
    Case("adjoint", lambda tf, x: tf.linalg.adjoint(x), (anything(2, 3),), complex=True),
    Case("tensordot 1", lambda tf, a, b: tf.tensordot(a, b, 1), (anything(2, 3), anything(3, 4)), complex=True),
    Case("tensordot 0", lambda tf, a, b: tf.tensordot(a, b, 0), (anything(2, 3), anything(2)), complex=True),
    Case("tensordot all", lambda tf, a, b: tf.tensordot(a, b, 2), (anything(2, 3), anything(2, 3))),
    Case(
        "tensordot axes",
        lambda tf, a, b: tf.tensordot(a, b, [[-1, 0], [1, 2]]),
        (anything(2, 3, 4), anything(5, 4, 2)),
        complex=True,
    ),
    Case("tensordot axis numbers", lambda tf, a, b: tf.tensordot(a, b, (0, 1)), (anything(2, 3), anything(3, 2))),
    Case("tensordot tensor axes", lambda tf, a, b: tf.tensordot(a, b, tf.constant([[0], [1]])), (anything(2), anything(3, 2))),
    Case("tensordot empty", lambda tf, a, b: tf.tensordot(a, b, 1), (anything(2, 0), anything(0, 3))),
    Case("einsum matmul", lambda tf, a, b: tf.einsum("ij,jk->ik", a, b), (anything(2, 3), anything(3, 4)), complex=True),
    Case("einsum implicit", lambda tf, a, b: tf.einsum("ij,jB", a, b), (anything(2, 3), anything(3, 4))),
    Case(
        "einsum batch", lambda tf, a, b: tf.einsum("bhqd,bhkd->bhqk", a, b), (anything(2, 2, 3, 2), anything(2, 2, 2, 2)), complex=True
    ),
    Case("einsum elementwise", lambda tf, a, b: tf.einsum("ij,ji->ij", a, b), (anything(2, 3), anything(3, 2))),
    Case("einsum outer", lambda tf, a, b: tf.einsum("i,j->ji", a, b), (anything(2), anything(3))),
    Case("einsum sums", lambda tf, a, b: tf.einsum("ijk,jl->l", a, b), (anything(2, 3, 2), anything(3, 4)), complex=True),
    Case("einsum transpose", lambda tf, x: tf.einsum("ijk->kij", x), (anything(2, 3, 4),), complex=True),
    Case("einsum sum", lambda tf, x: tf.einsum("ijk->k", x), (anything(2, 3, 4),), complex=True),
    Case("einsum trace", lambda tf, x: tf.einsum("ii", x), (anything(3, 3),), complex=True),
    Case("einsum diagonal", lambda tf, x: tf.einsum("iij->ji", x), (anything(3, 3, 2),), complex=True),
    Case("einsum diagonal product", lambda tf, a, b: tf.einsum("iij,jk->ik", a, b), (anything(2, 2, 3), anything(3, 2))),
    Case("einsum ellipsis", lambda tf, a, b: tf.einsum("...ij,...jk->...ik", a, b), (anything(4, 2, 3), anything(3, 2)), complex=True),
    Case("einsum ellipsis broadcast", lambda tf, a, b: tf.einsum("i...,j...->...ij", a, b), (anything(2, 1, 3), anything(3, 2, 1))),
    Case("einsum ellipsis alone", lambda tf, x: tf.einsum("i...j->j...", x), (anything(2, 3, 4),)),
    Case("einsum three", lambda tf, a, b, c: tf.einsum("ij,jk,kl->il", a, b, c), (anything(2, 3), anything(3, 4), anything(4, 2))),
    Case("einsum four", lambda tf, a, b: tf.einsum("a,b,c,d->", a, a, b, b, optimize="optimal"), (anything(2), anything(3))),
    Case("einsum scalars", lambda tf, a, b: tf.einsum(",i->i", a, b), (anything(), anything(3))),
    Case("einsum empty", lambda tf, a, b: tf.einsum("ij,jk->ki", a, b), (anything(2, 0), anything(0, 3))),
    Case("einsum half", lambda tf, a, b: tf.einsum("ijk,jk->i", a, b), (anything(2, 3, 4), anything(3, 4)), dtypes=("float16", "bfloat16"), order=1),
    Case("cross", lambda tf, a, b: tf.linalg.cross(a, b), (anything(2, 3), anything(2, 3))),
    Case("cross empty", lambda tf, a, b: tf.linalg.cross(a, b), (anything(0, 3), anything(0, 3))),
]  # fmt: skip

CASES = [*PRODUCTS]

BAD_PRODUCTS = [
    BadInput("matmul of vectors", lambda tf: tf.matmul(tf.ones(3), tf.ones(3)), "In[0] ndims must be >= 2"),
    BadInput("matmul with a vector", lambda tf: tf.matmul(tf.ones((2, 3)), tf.ones(3)), "In[1] ndims must be >= 2"),
    BadInput(
        "matmul sizes",
        lambda tf: tf.matmul(tf.ones((2, 3)), tf.ones((2, 3))),
        "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]",
    ),
    BadInput(
        "matmul batches",
        lambda tf: tf.matmul(tf.ones((5, 2, 3)), tf.ones((4, 3, 3))),
        "In[0] and In[1] must have compatible batch dimensions: [5,2,3] vs. [4,3,3]",
    ),
    BadInput(
        "matmul dtypes",
        lambda tf: tf.matmul(tf.ones((2, 2)), tf.ones((2, 2), tf.float64)),
        "as input #1(zero-based) was expected to be a float tensor but is a double tensor [Op:MatMul]",
    ),
    BadInput(
        "matmul of bool",
        lambda tf: tf.matmul(tf.ones((2, 2), tf.bool), tf.ones((2, 2), tf.bool)),
        "Value for attr 'T' of bool is not in the list of allowed values: bfloat16, half",
    ),
    BadInput(
        "matmul transposed and adjoint",
        lambda tf: tf.matmul(tf.ones((2, 2)), tf.ones((2, 2)), transpose_a=True, adjoint_a=True),
        "Only one of `transpose_a` and `adjoint_a` can be True",
        error=ValueError,
    ),
    BadInput("matvec sizes", lambda tf: tf.linalg.matvec(tf.ones((2, 3)), tf.ones(2)), "Matrix size-incompatible"),
    BadInput(
        "matrix_transpose of a vector",
        lambda tf: tf.linalg.matrix_transpose(tf.ones(3)),
        "should be a (batch) matrix with rank >= 2",
        error=ValueError,
    ),
    BadInput(
        "tensordot negative",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), -1),
        "`axes` must be at least 0. Received: -1.",
        error=ValueError,
    ),
    BadInput(
        "tensordot too many",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), 3),
        "`axes` must not be larger than the number of dimensions of tensor",
        error=ValueError,
    ),
    BadInput(
        "tensordot axes differ",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[0, 1], [0]]),
        "Different number of contraction axes `a` and `b`, 2 != 1.",
        error=ValueError,
    ),
    BadInput(
        "tensordot three lists",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[1], [0], [0]]),
        "`axes` must be an integer or have length 2",
        error=ValueError,
    ),
    BadInput(
        "tensordot sizes",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[0], [0]]),
        "Matrix size-incompatible",
    ),
    BadInput(
        "tensordot axis out of range",
        lambda tf: tf.tensordot(tf.ones((2, 3)), tf.ones((3, 2)), [[7], [0]]),
        "list index out of range",
        error=IndexError,
    ),
    BadInput(
        "einsum format",
        lambda tf: tf.einsum("ij;jk->ik", tf.ones((2, 2)), tf.ones((2, 2))),
        "Subscripts have incorrect format: ij;jk->ik",
        error=ValueError,
    ),
    BadInput(
        "einsum count",
        lambda tf: tf.einsum("ij,jk->ik", tf.ones((2, 2))),
        'Got 1 inputs for equation "ij,jk->ik", expecting 2',
        error=ValueError,
    ),
    BadInput(
        "einsum rank",
        lambda tf: tf.einsum("ijk->i", tf.ones((2, 2))),
        "Expected input 0 to have rank 3 but got: 2",
    ),
    BadInput(
        "einsum ellipsis rank",
        lambda tf: tf.einsum("ijk...->i...", tf.ones((2, 2))),
        "Expected input 0 to have rank at least 3 but got: 2",
    ),
    BadInput(
        "einsum size",
        lambda tf: tf.einsum("ij,jk->ik", tf.ones((2, 3)), tf.ones((2, 3))),
        "Expected dimension 3 at axis 0 of the input shaped [2,3] but got dimension 2",
    ),
    BadInput(
        "einsum label of the result",
        lambda tf: tf.einsum("ij->ik", tf.ones((2, 3))),
        "Output subscripts contain the label k not present in the input subscripts.",
        error=ValueError,
    ),
    BadInput(
        "einsum repeated in the result",
        lambda tf: tf.einsum("i->ii", tf.ones(2)),
        "Output subscripts contain a label appearing more than once: i->ii",
        error=ValueError,
    ),
    BadInput(
        "einsum without ellipsis in the result",
        lambda tf: tf.einsum("ij...->i", tf.ones((2, 3, 4))),
        "Output contains 1 broadcasting dimension(s) but no ellipsis (...) was found in the output subscripts.",
    ),
    BadInput(
        "einsum batches",
        lambda tf: tf.einsum("i...,i...->i...", tf.ones((3, 2)), tf.ones((3, 4))),
        "In[0] and In[1] must have compatible batch dimensions",
    ),
    BadInput(
        "einsum keyword",
        lambda tf: tf.einsum("i->i", tf.ones(2), best=True),
        "Invalid keyword arguments for einsum: best. Valid arguments: name, optimize, greedy.",
        error=TypeError,
    ),
    BadInput(
        "cross shapes",
        lambda tf: tf.linalg.cross(tf.ones((2, 3)), tf.ones(3)),
        "Both inputs must be of same shape",
    ),
    BadInput(
        "cross of pairs",
        lambda tf: tf.linalg.cross(tf.ones(2), tf.ones(2)),
        "Cross-products are only defined for 3-element vectors",
    ),
]

BAD_INPUT = [*BAD_PRODUCTS]
