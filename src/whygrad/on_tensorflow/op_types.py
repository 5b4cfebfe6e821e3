"""What TensorFlow's op types are on whygrad: the function that computes the same from the same inputs.

The key is an op type, the value a public whygrad name where inputs and arguments agree, or a function of the public namespace
`tf`, the inputs `x` (whygrad's tensors) and the op's attributes `a`. The functions bring their primitives' rules and traits along, so
that explanations know TensorFlow's ops as well as whygrad's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Translation = str | Callable[[Any, list[Any], dict[str, Any]], Any]


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


def _ints(tensor: Any) -> Any:
    """A tensor that says axes, sizes or the like, as Python numbers."""
    return tensor._array.tolist()


def _text(attribute: Any) -> str:
    return attribute.decode() if isinstance(attribute, bytes) else str(attribute)


def _reduction(name: str) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    return lambda tf, x, a: getattr(tf, name)(x[0], axis=_ints(x[1]), keepdims=bool(a.get("keep_dims")))


def _matmul(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    return tf.matmul(
        x[0],
        x[1],
        transpose_a=bool(a.get("transpose_a")),
        transpose_b=bool(a.get("transpose_b")),
        adjoint_a=bool(a.get("adj_x")),
        adjoint_b=bool(a.get("adj_y")),
    )


def _window(a: dict[str, Any]) -> dict[str, Any]:
    """The attributes that convolutions and pooling share."""
    padding = _text(a["padding"])
    if padding == "EXPLICIT":
        flat = list(a["explicit_paddings"])
        padding = [flat[i : i + 2] for i in range(0, len(flat), 2)]  # type: ignore[assignment]
    return {"strides": list(a["strides"]), "padding": padding, "data_format": _text(a.get("data_format", "NHWC"))}


def _convolution(name: str) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    def convolve(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
        return getattr(tf.nn, name)(x[0], x[1], dilations=list(a.get("dilations") or ()) or None, **_window(a))

    return convolve


def _depthwise(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    settings = _window(a)
    axes = slice(1, 3) if settings["data_format"] == "NHWC" else slice(2, 4)
    return tf.nn.depthwise_conv2d(x[0], x[1], dilations=list(a.get("dilations") or [1] * 4)[axes], **settings)


def _pooling(name: str) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    return lambda tf, x, a: getattr(tf.nn, name)(x[0], ksize=list(a["ksize"]), **_window(a))


def _strided_slice(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return tf.strided_slice(x[0], *map(_ints, x[1:4]), **{name: a.get(name, 0) for name in masks})


def _squeeze(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    return tf.squeeze(x[0], axis=list(a.get("squeeze_dims") or ()) or None)


def _gather(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    return tf.gather(x[0], x[1], axis=_ints(x[2]) if len(x) > 2 else 0, batch_dims=a.get("batch_dims", 0))


def _cumulative(name: str) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    def accumulate(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
        options = {key: bool(a.get(key)) for key in ("exclusive", "reverse")}
        return getattr(tf.math, name)(x[0], axis=_ints(x[1]), **options)

    return accumulate


def _cast(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
    return tf.cast(x[0], tf.as_dtype(_dtype_name(a["DstT"])))


def _dtype_name(attribute: Any) -> str:
    """TensorFlow gives a dtype as its own class or as its number."""
    if isinstance(attribute, int):
        return _DTYPES[attribute]
    return str(attribute.name)


# By the numbers of TensorFlow's protocol (`types.proto`).
_DTYPES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64", 9: "int64", 10: "bool",
    14: "bfloat16", 17: "uint16", 18: "complex128", 19: "float16", 22: "uint32", 23: "uint64",
}  # fmt: skip


def _constant_like(value: Any) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    return lambda tf, x, a: tf.fill(x[0].shape, tf.constant(value, x[0].dtype))


def _transposed_convolution(name: str) -> Callable[[Any, list[Any], dict[str, Any]], Any]:
    def convolve(tf: Any, x: list[Any], a: dict[str, Any]) -> Any:
        dilations = list(a.get("dilations") or ()) or None
        return getattr(tf.nn, name)(x[2], x[1], output_shape=_ints(x[0]), dilations=dilations, **_window(a))

    return convolve


_SAME = """
    Abs=abs Acos=acos Acosh=acosh Add=add AddV2=add Angle=math.angle Asin=asin Asinh=asinh Atan=atan Atan2=atan2 Atanh=atanh
    BesselI0=math.bessel_i0 BesselI0e=math.bessel_i0e BesselI1=math.bessel_i1 BesselI1e=math.bessel_i1e Betainc=math.betainc
    BroadcastTo=broadcast_to Ceil=math.ceil Cholesky=linalg.cholesky Complex=complex ComplexAbs=abs Conj=math.conj Cos=cos Cosh=cosh
    Cross=linalg.cross Digamma=math.digamma Div=divide DivNoNan=math.divide_no_nan Elu=nn.elu Erf=math.erf Erfc=math.erfc
    Erfinv=math.erfinv Exp=exp Expm1=math.expm1 Floor=floor FloorDiv=math.floordiv FloorMod=math.floormod
    Identity=identity Igamma=math.igamma Igammac=math.igammac Imag=math.imag L2Loss=nn.l2_loss Lgamma=math.lgamma Log=math.log
    Log1p=math.log1p LogSoftmax=nn.log_softmax MatrixDeterminant=linalg.det MatrixInverse=linalg.inv Maximum=maximum
    Minimum=minimum Mul=multiply MulNoNan=math.multiply_no_nan Ndtri=math.ndtri Neg=negative NextAfter=math.nextafter
    Polygamma=math.polygamma Pow=pow Real=math.real RealDiv=divide Reciprocal=math.reciprocal Inv=math.reciprocal Relu=nn.relu
    Relu6=nn.relu6 Rint=math.rint Round=round Rsqrt=math.rsqrt Selu=nn.selu Sigmoid=sigmoid Sign=sign Sin=sin Sinh=sinh
    Softmax=nn.softmax Softplus=math.softplus Softsign=nn.softsign Sqrt=sqrt Square=square SquaredDifference=math.squared_difference
    StopGradient=stop_gradient PreventGradient=stop_gradient Sub=subtract Tan=tan Tanh=tanh TruncateDiv=truncatediv Xdivy=math.xdivy
    Xlog1py=math.xlog1py Xlogy=math.xlogy Zeta=math.zeta ClipByValue=clip_by_value Reshape=reshape Tile=tile Fill=fill
    GatherNd=gather_nd ScatterNd=scatter_nd TensorScatterAdd=tensor_scatter_nd_add TensorScatterUpdate=tensor_scatter_nd_update
    TensorScatterSub=tensor_scatter_nd_sub TensorScatterMax=tensor_scatter_nd_max TensorScatterMin=tensor_scatter_nd_min
    SegmentSum=math.segment_sum SegmentMean=math.segment_mean SegmentMax=math.segment_max SegmentMin=math.segment_min
    SegmentProd=math.segment_prod SelectV2=where Select=where Diag=linalg.tensor_diag DiagPart=linalg.tensor_diag_part
    Dawsn=math.special.dawsn Expint=math.special.expint FresnelCos=math.special.fresnel_cos FresnelSin=math.special.fresnel_sin
    Spence=math.special.spence BesselJ0=math.special.bessel_j0 BesselJ1=math.special.bessel_j1 BesselK0=math.special.bessel_k0
    BesselK0e=math.special.bessel_k0e BesselK1=math.special.bessel_k1 BesselK1e=math.special.bessel_k1e BesselY0=math.special.bessel_y0
    BesselY1=math.special.bessel_y1 Equal=equal NotEqual=not_equal Less=less LessEqual=less_equal Greater=greater
    GreaterEqual=greater_equal LogicalAnd=logical_and LogicalOr=logical_or LogicalNot=logical_not IsNan=math.is_nan IsInf=math.is_inf
    IsFinite=math.is_finite BitwiseAnd=bitwise.bitwise_and BitwiseOr=bitwise.bitwise_or BitwiseXor=bitwise.bitwise_xor
    RGBToHSV=image.rgb_to_hsv HSVToRGB=image.hsv_to_rgb FFT=signal.fft FFT2D=signal.fft2d FFT3D=signal.fft3d IFFT=signal.ifft
    IFFT2D=signal.ifft2d IFFT3D=signal.ifft3d MatrixSquareRoot=linalg.sqrtm SparseSegmentSum=sparse.segment_sum
    SparseSegmentMean=sparse.segment_mean SparseSegmentSqrtN=sparse.segment_sqrt_n Mod=math.floormod InvertPermutation=math.invert_permutation
"""

TRANSLATIONS: dict[str, Translation] = {
    **dict(pair.split("=") for pair in words(_SAME)),
    **{
        op_type: _reduction(name)
        for op_type, name in {
            "Sum": "reduce_sum",
            "Mean": "reduce_mean",
            "Max": "reduce_max",
            "Min": "reduce_min",
            "Prod": "reduce_prod",
            "All": "reduce_all",
            "Any": "reduce_any",
        }.items()
    },
    "EuclideanNorm": lambda tf, x, a: tf.math.reduce_euclidean_norm(x[0], _ints(x[1]), bool(a.get("keep_dims"))),
    **dict.fromkeys(("MatMul", "BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"), _matmul),
    "AddN": lambda tf, x, a: tf.add_n(x),
    "AccumulateNV2": lambda tf, x, a: tf.add_n(x),
    "ArgMax": lambda tf, x, a: tf.argmax(x[0], axis=_ints(x[1]), output_type=_dtype_name(a.get("output_type", 9))),
    "ArgMin": lambda tf, x, a: tf.argmin(x[0], axis=_ints(x[1]), output_type=_dtype_name(a.get("output_type", 9))),
    "Cast": _cast,
    "BiasAdd": lambda tf, x, a: tf.nn.bias_add(x[0], x[1], data_format=_text(a.get("data_format", "NHWC"))),
    "ConcatV2": lambda tf, x, a: tf.concat(x[:-1], axis=_ints(x[-1])),
    "Pack": lambda tf, x, a: tf.stack(x, axis=a.get("axis", 0)),
    "Unpack": lambda tf, x, a: tf.unstack(x[0], num=a["num"], axis=a.get("axis", 0)),
    "Split": lambda tf, x, a: tf.split(x[1], a["num_split"], axis=_ints(x[0])),
    "SplitV": lambda tf, x, a: tf.split(x[0], _ints(x[1]), axis=_ints(x[2])),
    "Transpose": lambda tf, x, a: tf.transpose(x[0], _ints(x[1])),
    "ConjugateTranspose": lambda tf, x, a: tf.transpose(x[0], _ints(x[1]), conjugate=True),
    "ExpandDims": lambda tf, x, a: tf.expand_dims(x[0], _ints(x[1])),
    "Squeeze": _squeeze,
    "Slice": lambda tf, x, a: tf.slice(x[0], _ints(x[1]), _ints(x[2])),
    "StridedSlice": _strided_slice,
    "GatherV2": _gather,
    "Gather": _gather,
    "Pad": lambda tf, x, a: tf.pad(x[0], _ints(x[1])),
    "PadV2": lambda tf, x, a: tf.pad(x[0], _ints(x[1]), constant_values=x[2]),
    "MirrorPad": lambda tf, x, a: tf.pad(x[0], _ints(x[1]), mode=_text(a["mode"])),
    "Roll": lambda tf, x, a: tf.roll(x[0], _ints(x[1]), _ints(x[2])),
    "ReverseV2": lambda tf, x, a: tf.reverse(x[0], _ints(x[1])),
    "Cumsum": _cumulative("cumsum"),
    "Cumprod": _cumulative("cumprod"),
    "CumulativeLogsumexp": _cumulative("cumulative_logsumexp"),
    "OneHot": lambda tf, x, a: tf.one_hot(x[0], _ints(x[1]), x[2], x[3], axis=a.get("axis", -1)),
    "OnesLike": _constant_like(1),
    "ZerosLike": _constant_like(0),
    "LeakyRelu": lambda tf, x, a: tf.nn.leaky_relu(x[0], alpha=a.get("alpha", 0.2)),
    "Einsum": lambda tf, x, a: tf.einsum(_text(a["equation"]), *x),
    "UnsortedSegmentSum": lambda tf, x, a: tf.math.unsorted_segment_sum(x[0], x[1], _ints(x[2])),
    "UnsortedSegmentMax": lambda tf, x, a: tf.math.unsorted_segment_max(x[0], x[1], _ints(x[2])),
    "UnsortedSegmentMin": lambda tf, x, a: tf.math.unsorted_segment_min(x[0], x[1], _ints(x[2])),
    "UnsortedSegmentProd": lambda tf, x, a: tf.math.unsorted_segment_prod(x[0], x[1], _ints(x[2])),
    "SoftmaxCrossEntropyWithLogits": lambda tf, x, a: (tf.nn.softmax_cross_entropy_with_logits(labels=x[1], logits=x[0]), None),
    "SparseSoftmaxCrossEntropyWithLogits": lambda tf, x, a: (
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=x[1], logits=x[0]),
        None,
    ),
    "TopKV2": lambda tf, x, a: tuple(tf.math.top_k(x[0], _ints(x[1]), sorted=bool(a.get("sorted", True)))),
    "Conv2D": _convolution("conv2d"),
    "Conv3D": _convolution("conv3d"),
    "DepthwiseConv2dNative": _depthwise,
    "Conv2DBackpropInput": _transposed_convolution("conv2d_transpose"),
    "MaxPool": _pooling("max_pool2d"),
    "AvgPool": lambda tf, x, a: tf.nn.avg_pool2d(x[0], ksize=list(a["ksize"]), **_window(a)),
    "MaxPool3D": _pooling("max_pool3d"),
    "AvgPool3D": _pooling("avg_pool3d"),
    "MatrixSolve": lambda tf, x, a: tf.linalg.solve(x[0], x[1], adjoint=bool(a.get("adjoint"))),
    "MatrixTriangularSolve": lambda tf, x, a: tf.linalg.triangular_solve(
        x[0], x[1], lower=bool(a.get("lower", True)), adjoint=bool(a.get("adjoint"))
    ),
    "LogMatrixDeterminant": lambda tf, x, a: tuple(tf.linalg.slogdet(x[0])),
    "SelfAdjointEigV2": lambda tf, x, a: tuple(tf.linalg.eigh(x[0])) if a.get("compute_v", True) else (tf.linalg.eigvalsh(x[0]), None),
    "Svd": lambda tf, x, a: tuple(tf.linalg.svd(x[0], full_matrices=bool(a.get("full_matrices"))))
    if a.get("compute_uv", True)
    else (tf.linalg.svd(x[0], compute_uv=False), None, None),
    "Qr": lambda tf, x, a: tuple(tf.linalg.qr(x[0], full_matrices=bool(a.get("full_matrices")))),
    "MatrixBandPart": lambda tf, x, a: tf.linalg.band_part(x[0], _ints(x[1]), _ints(x[2])),
    "MatrixDiagV3": lambda tf, x, a: tf.linalg.diag(
        x[0], k=_k(x[1]), num_rows=_ints(x[2]), num_cols=_ints(x[3]), padding_value=x[4], align=_text(a["align"])
    ),
    "MatrixDiagPartV3": lambda tf, x, a: tf.linalg.diag_part(x[0], k=_k(x[1]), padding_value=x[2], align=_text(a["align"])),
    "MatrixSetDiagV3": lambda tf, x, a: tf.linalg.set_diag(x[0], x[1], k=_k(x[2]), align=_text(a["align"])),
    "ResizeBilinear": lambda tf, x, a: tf.image.resize(x[0], _ints(x[1]), method="bilinear"),
    "ResizeArea": lambda tf, x, a: tf.image.resize(x[0], _ints(x[1]), method="area"),
    "ResizeBicubic": lambda tf, x, a: tf.image.resize(x[0], _ints(x[1]), method="bicubic"),
    "AdjustSaturation": lambda tf, x, a: tf.image.adjust_saturation(x[0], x[1]),
    "AdjustHue": lambda tf, x, a: tf.image.adjust_hue(x[0], x[1]),
    "AdjustContrastv2": lambda tf, x, a: tf.image.adjust_contrast(x[0], x[1]),
    "ResizeNearestNeighbor": lambda tf, x, a: tf.image.resize(x[0], _ints(x[1]), method="nearest"),
    "SpaceToDepth": lambda tf, x, a: tf.nn.space_to_depth(x[0], a["block_size"], data_format=_text(a.get("data_format", "NHWC"))),
    "DepthToSpace": lambda tf, x, a: tf.nn.depth_to_space(x[0], a["block_size"], data_format=_text(a.get("data_format", "NHWC"))),
    "BatchToSpaceND": lambda tf, x, a: tf.batch_to_space(x[0], _ints(x[1]), _ints(x[2])),
    "SpaceToBatchND": lambda tf, x, a: tf.space_to_batch(x[0], _ints(x[1]), _ints(x[2])),
    "Multinomial": lambda tf, x, a: tf.random.categorical(x[0], _ints(x[1]), dtype=_dtype_name(a.get("output_dtype", 9))),
    "RandomPoissonV2": lambda tf, x, a: tf.random.poisson(_ints(x[0]), x[1], dtype=_dtype_name(a.get("dtype", 9))),
    "DenseBincount": lambda tf, x, a: tf.math.bincount(x[0], weights=x[2] if x[2]._array.size else None, minlength=_ints(x[1])),
    "Unique": lambda tf, x, a: tuple(tf.unique(x[0], out_idx=_dtype_name(a.get("out_idx", 3)))),
    "DynamicStitch": lambda tf, x, a: tf.dynamic_stitch(x[: len(x) // 2], x[len(x) // 2 :]),
    "DynamicPartition": lambda tf, x, a: tf.dynamic_partition(x[0], x[1], a["num_partitions"]),
    "CropAndResize": lambda tf, x, a: tf.image.crop_and_resize(
        x[0], x[1], x[2], _ints(x[3]), method=_text(a.get("method", "bilinear")), extrapolation_value=a.get("extrapolation_value", 0.0)
    ),
    "RFFT": lambda tf, x, a: tf.signal.rfft(x[0], fft_length=_ints(x[1])),
    "IRFFT": lambda tf, x, a: tf.signal.irfft(x[0], fft_length=_ints(x[1])),
    "RFFT2D": lambda tf, x, a: tf.signal.rfft2d(x[0], fft_length=_ints(x[1])),
    "IRFFT2D": lambda tf, x, a: tf.signal.irfft2d(x[0], fft_length=_ints(x[1])),
    "ReverseSequence": lambda tf, x, a: tf.reverse_sequence(x[0], x[1], seq_axis=a["seq_dim"], batch_axis=a.get("batch_dim", 0)),
    "ExtractImagePatches": lambda tf, x, a: tf.image.extract_patches(
        x[0], sizes=list(a["ksizes"]), strides=list(a["strides"]), rates=list(a["rates"]), padding=_text(a["padding"])
    ),
    "RandomGamma": lambda tf, x, a: tf.random.gamma(_ints(x[0]), x[1], dtype=x[1].dtype),
    "_EagerConst": lambda tf, x, a: tf.identity(x[0]),
    "IdentityN": lambda tf, x, a: tuple(map(tf.identity, x)),
    "EnsureShape": lambda tf, x, a: tf.identity(x[0]),
    "CheckNumerics": lambda tf, x, a: tf.identity(x[0]),
    "CheckNumericsV2": lambda tf, x, a: tf.identity(x[0]),
    "Shape": lambda tf, x, a: tf.shape(x[0], out_type=_dtype_name(a.get("out_type", 3))),
    "Size": lambda tf, x, a: tf.size(x[0], out_type=_dtype_name(a.get("out_type", 3))),
}  # fmt: skip


def _k(tensor: Any) -> Any:
    """A diagonal, or the first and last of a band."""
    given = _ints(tensor)
    if isinstance(given, list):
        return tuple(given) if len(given) == 2 else given[0]
    return given


# Public functions that TensorFlow computes by several ops, and whygrad knows as a whole.
COMPOSITES = words("""
    nn.softmax nn.log_softmax nn.sigmoid_cross_entropy_with_logits nn.softmax_cross_entropy_with_logits
    nn.sparse_softmax_cross_entropy_with_logits math.l2_normalize nn.l2_normalize linalg.norm norm linalg.normalize math.reduce_std
    math.reduce_variance math.reduce_logsumexp reduce_logsumexp clip_by_norm linalg.logdet linalg.slogdet nn.moments
    tensordot linalg.tensordot boolean_mask
""")

# Op types whose results are data for whygrad: they have no gradient, and nothing that explanations ask for is lost.
DATA = frozenset(
    words("""
    ShapeN Rank Range LinSpace Const RandomStandardNormal RandomUniform RandomUniformInt TruncatedNormal
    StatelessRandomNormalV2 StatelessRandomUniformV2 StatelessRandomUniformIntV2 StatelessRandomUniformFullIntV2
    StatelessTruncatedNormalV2 StatelessRandomNormal StatelessRandomUniform StatelessTruncatedNormal StatelessRandomGetKeyCounter
    StatelessRandomGetAlg RngReadAndSkip Bitcast RandomShuffle VarIsInitializedOp VariableShape BroadcastGradientArgs BroadcastArgs
    Assert Print PrintV2 StringFormat NoOp IteratorGetNext
""")
)

# Op types with a gradient that are followed as a whole: derivatives that TensorFlow computes by an op of their own, control flow and lists
# of graphs, quantization, sparse matrices, and what several devices do together.
OPAQUE = frozenset(
    words("""
    AllToAll ApproxTopK AvgPool3DGrad AvgPoolGrad BandedTriangularSolve BatchNormWithGlobalNormalization
    BatchToSpace BiasAddGrad BiasAddV1 BlockLSTM BlockLSTMV2 CSRSparseMatrixToDense CSRSparseMatrixToSparseTensor
    CTCLoss CTCLossV2 Case CollectivePermute CompositeTensorVariantFromComponents CompositeTensorVariantToComponents
    Concat Conv2DBackpropFilter Conv3DBackpropFilterV2 Conv3DBackpropInputV2 CopyToMesh CopyToMeshGrad
    CrossReplicaSum CudnnRNN CudnnRNNV2 CudnnRNNV3 DebugGradientIdentity DebugGradientRefIdentity DebugIdentityV2
    DenseToCSRSparseMatrix DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput Dilation2D
    EagerPyFunc Eig EluGrad Enter Exit ExtractVolumePatches FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars
    FakeQuantWithMinMaxVarsPerChannel FractionalAvgPool FractionalMaxPool FusedBatchNorm FusedBatchNormGrad
    FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3 If ImageProjectiveTransformV2
    ImageProjectiveTransformV3 InvGrad IsotonicRegression LRN LeakyReluGrad LoopCond MatrixDiag MatrixDiagPart
    MatrixDiagPartV2 MatrixDiagV2 MatrixSetDiag MatrixSetDiagV2 MatrixSolveLs MaxPool3DGrad MaxPool3DGradGrad
    MaxPoolGrad MaxPoolGradGrad MaxPoolGradV2 MaxPoolV2 MaxPoolWithArgmax Merge MirrorPadGrad NcclAllReduce
    NcclBroadcast NcclReduce NextIteration NthElement OptionalFromValue ParallelDynamicStitch
    PlaceholderWithDefault QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3
    QuantizeAndDequantizeV4 QuantizeAndDequantizeV4Grad RaggedFillEmptyRows RaggedGather RaggedTensorFromVariant
    RaggedTensorToSparse RaggedTensorToTensor RaggedTensorToVariant ReciprocalGrad RefEnter RefExit RefIdentity
    RefMerge RefNextIteration RefSwitch Relayout RelayoutLike Relu6Grad ReluGrad ResourceGatherNd Reverse RsqrtGrad
    ScaleAndTranslate ScatterNdNonAliasingAdd SeluGrad SigmoidGrad SoftplusGrad SpaceToBatch SparseAdd
    SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul SparseFillEmptyRows SparseMatMul SparseMatrixAdd
    SparseMatrixMatMul SparseMatrixMul SparseMatrixSoftmax SparseMatrixSparseMatMul SparseMatrixTranspose
    SparseReduceSum SparseReorder SparseSegmentMeanWithNumSegments SparseSegmentSqrtNWithNumSegments
    SparseSegmentSumWithNumSegments SparseSlice SparseSoftmax SparseSparseMaximum SparseSparseMinimum
    SparseTensorDenseAdd SparseTensorDenseMatMul SparseTensorToCSRSparseMatrix SparseToDense SqrtGrad StatelessCase
    StatelessIf StatelessParameterizedTruncatedNormal StatelessRandomGammaV2 StatelessRandomGammaV3 StatelessWhile
    StridedSliceGrad Switch TPUEmbeddingActivations TanhGrad TensorArrayConcat TensorArrayConcatV2
    TensorArrayConcatV3 TensorArrayGather TensorArrayGatherV2 TensorArrayGatherV3 TensorArrayRead TensorArrayReadV2
    TensorArrayReadV3 TensorArrayScatter TensorArrayScatterV2 TensorArrayScatterV3 TensorArraySplit
    TensorArraySplitV2 TensorArraySplitV3 TensorArrayWrite TensorArrayWriteV2 TensorArrayWriteV3 TensorListConcat
    TensorListConcatV2 TensorListFromTensor TensorListGather TensorListGetItem TensorListPopBack TensorListPushBack
    TensorListResize TensorListScatter TensorListScatterIntoExistingList TensorListScatterV2 TensorListSetItem
    TensorListSplit TensorListStack TensorStridedSliceUpdate TopK TridiagonalMatMul TridiagonalSolve While
    XlaClusterOutput XlaEinsum XlaSharding XlaSpmdFullToShardShape XlaSpmdShardToFullShape
""")
)
