"""`tf.nn`."""

from whygrad import nn_experimental as experimental
from whygrad.ops.activations import crelu, elu, gelu, leaky_relu, relu6, selu, silu
from whygrad.ops.activations import silu as swish
from whygrad.ops.candidates import all_candidate_sampler, compute_accidental_hits, nce_loss, sampled_softmax_loss
from whygrad.ops.convolution import (
    atrous_conv2d,
    atrous_conv2d_transpose,
    conv1d,
    conv1d_transpose,
    conv2d,
    conv2d_transpose,
    conv3d,
    conv3d_transpose,
    conv_transpose,
    convolution,
    depthwise_conv2d,
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
    separable_conv2d,
    with_space_to_batch,
)
from whygrad.ops.counting import zero_fraction
from whygrad.ops.elementwise import relu, sigmoid, softplus, softsign, tanh
from whygrad.ops.indexing import embedding_lookup
from whygrad.ops.linalg_norms import l2_normalize
from whygrad.ops.losses import (
    compute_average_loss,
    isotonic_regression,
    log_poisson_loss,
    scale_regularization_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from whygrad.ops.morphology import dilation2d, erosion2d
from whygrad.ops.normalization import (
    batch_norm_with_global_normalization,
    batch_normalization,
    bias_add,
    dropout,
    local_response_normalization,
    lrn,
)
from whygrad.ops.pooling import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    max_pool_with_argmax,
    pool,
)
from whygrad.ops.reductions import l2_loss, log_softmax, softmax
from whygrad.ops.sequences import collapse_repeated, ctc_loss, ctc_unique_labels
from whygrad.ops.shaping import depth_to_space, space_to_batch, space_to_depth
from whygrad.ops.sorting import in_top_k, top_k
from whygrad.ops.statistics import moments, normalize_moments, sufficient_statistics, weighted_moments
