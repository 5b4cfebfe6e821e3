"""What there is in place of TensorFlow's public names that whygrad lacks.

`REASONS` has an entry for a name or a namespace; the longest one that a name begins with says what to do. A name that whygrad gains
needs no change here: nothing is asked about names that exist. `tests/run/test_missing_names.py` compares this with the whole list.
"""

from __future__ import annotations

from whygrad.run.tensorflow_names import NAMES

NAMESPACES = frozenset({part for namespace in NAMES for part in namespace.split(".")[1:]}) | {
    "compat", "initializers", "keras", "layers", "logging", "losses", "metrics", "numpy", "optimizers", "raw_ops", "v1", "v2",
}  # fmt: skip

_FILES = "read files with Python or NumPy, and pass arrays to tf.constant or tf.data.Dataset.from_tensor_slices"
_RAGGED = "tf.RaggedTensor and its methods do this"
_OPERATOR = "use the matrix itself with tf.matmul, tf.linalg.solve, tf.linalg.band_part and tf.linalg.diag"
_STRATEGY = "tf.distribute.DataParallel trains on several devices and processes (docs/distribute.md)"
_GRAPH = "whygrad follows TensorFlow 2 and has no graphs: ops are computed at once, and tf.function compiles functions"
_DEPLOY = "whygrad trains and explains models, and converts none for phones or other devices: train with TensorFlow what you deploy"
_TPU = "whygrad runs on CPUs, and on GPUs through JAX, and leaves TPUs out: choose a device with tf.device"
_DTENSOR = "whygrad has no DTensor: tf.distribute.DataParallel divides the batch among devices and processes (docs/distribute.md)"
_EXTENSION = "whygrad has no extension types: keep the tensors in a named tuple or a dict, which tf.nest and tf.function take as arguments"
_ESTIMATOR = (
    "TensorFlow 2.16 removed estimators: train a tf.keras.Model with fit, or write the loop with tf.GradientTape"
)
_VERSION_1 = "whygrad always behaves as TensorFlow 2: remove the call, and compute without graphs"
_OPTIMIZER = "optimizers of TensorFlow 1 need graphs: use tf.keras.optimizers with the gradients of a tf.GradientTape"
_LAYERS = "layers of TensorFlow 1 need graphs: use tf.keras.layers"
_SESSION = "whygrad has no graphs and sessions: ops are computed at once, and values are read with tensor.numpy()"
_QUANTIZED = "cast to float16 or bfloat16 for less memory; there are no quantized types"
_DATASETS = "tf.data.Dataset's own methods, such as map, batch, shuffle, interleave and take_while, do this"
_THREADS = "use Python's threading and queue"
_PROFILE = "use a Python profiler: ops have their own names there (docs/performance.md)"
_IMAGES = "tf.io decodes PNG, JPEG, GIF and BMP; decode others with Pillow, and pass arrays to tf.constant"
_BOXES = "whygrad has no ops for bounding boxes: compute them with NumPy, outside of the gradient"
_OPS = "declare ops in Python, with their gradients (docs/extend.md)"
_MIXED = "tf.float16 and tf.bfloat16 are the narrow types here"

REASONS = {
    "tf.CriticalSection": "use Python's threading.Lock",
    "tf.DeviceSpec": "tf.device takes a string such as '/CPU:0'",
    "tf.Graph": _GRAPH,
    "tf.Operation": _GRAPH,
    "tf.import_graph_def": _GRAPH,
    "tf.graph_util": _GRAPH,
    "tf.is_symbolic_tensor": "inside tf.function tensors are symbolic, elsewhere they are not: tf.executing_eagerly() tells",
    "tf.ragged_fill_empty_rows": _RAGGED,
    "tf.ragged_fill_empty_rows_grad": _RAGGED,
    "tf.experimental.DynamicRaggedShape": _RAGGED,
    "tf.experimental.RowPartition": _RAGGED,
    "tf.experimental.StructuredTensor": _RAGGED,
    "tf.sparse": "tf.gather_nd takes elements of a product of tf.matmul, for tf.SparseTensor.with_values",
    "tf.IndexedSlicesSpec": "describe arguments of tf.function with tf.TensorSpec",
    "tf.NoneTensorSpec": "describe arguments of tf.function with tf.TensorSpec",
    "tf.TensorArraySpec": "describe arguments of tf.function with tf.TensorSpec",
    "tf.TypeSpec": "describe arguments of tf.function with tf.TensorSpec",
    "tf.type_spec_from_value": "tf.TensorSpec.from_tensor describes a tensor",
    "tf.RegisterGradient": "give an op its gradient with tf.custom_gradient",
    "tf.no_gradient": "use tf.stop_gradient, or tf.custom_gradient",
    "tf.approx_top_k": "tf.math.top_k is exact",
    "tf.math.approx_max_k": "tf.math.top_k is exact",
    "tf.math.approx_min_k": "tf.math.top_k of the negative values is exact",
    "tf.nn.approx_max_k": "tf.math.top_k is exact",
    "tf.nn.approx_min_k": "tf.math.top_k of the negative values is exact",
    "tf.math.sobol_sample": "scipy.stats.qmc.Sobol draws such points; pass them to tf.constant",
    "tf.fingerprint": "use Python's hashlib",
    "tf.check_pinned": "pinned memory is JAX's own matter here",
    "tf.conv": "tf.nn.convolution computes it",
    "tf.conv2d_backprop_filter_v2": "a tape gives this gradient of tf.nn.conv2d",
    "tf.conv2d_backprop_input_v2": "a tape gives this gradient of tf.nn.conv2d",
    "tf.fftnd": "tf.signal.fftnd computes it",
    "tf.ifftnd": "tf.signal.ifftnd computes it",
    "tf.rfftnd": "tf.signal.rfftnd computes it",
    "tf.irfftnd": "tf.signal.irfftnd computes it",
    "tf.matrix_square_root": "tf.linalg.sqrtm computes it",
    "tf.random_index_shuffle": "tf.random.shuffle and tf.random.experimental.stateless_shuffle shuffle a tensor",
    "tf.random.experimental.index_shuffle": "tf.random.shuffle and tf.random.experimental.stateless_shuffle shuffle a tensor",
    "tf.compat.v1": "whygrad follows TensorFlow 2: ops are computed at once, variables are tf.Variable, gradients are taken with "
    "tf.GradientTape, and most names are in tf itself",
    "tf.compat.v1.Session": _SESSION,
    "tf.compat.v1.InteractiveSession": _SESSION,
    "tf.compat.v1.ConfigProto": "tf.config has the settings of devices and threads",
    "tf.compat.v1.GPUOptions": "tf.config has the settings of devices and threads",
    "tf.compat.v1.GraphOptions": "tf.config.optimizer has the settings of the graph optimizer",
    "tf.compat.v1.OptimizerOptions": "tf.config.optimizer has the settings of the graph optimizer",
    "tf.compat.v1.placeholder": "whygrad has no graphs: pass values as arguments of a function",
    "tf.compat.v1.placeholder_with_default": "whygrad has no graphs: pass values as arguments of a function",
    "tf.compat.v1.get_variable": "make a tf.Variable, and keep it in a tf.Module",
    "tf.compat.v1.variable_scope": "hold variables in a tf.Module",
    "tf.compat.v1.global_variables_initializer": "a tf.Variable has its value at once",
    "tf.compat.v1.local_variables_initializer": "a tf.Variable has its value at once",
    "tf.compat.v1.variables_initializer": "a tf.Variable has its value at once",
    "tf.compat.v1.tables_initializer": "the tables of tf.lookup have their entries at once",
    "tf.compat.v1.global_variables": "a tf.Module knows its variables: module.variables",
    "tf.compat.v1.trainable_variables": "a tf.Module knows its variables: module.trainable_variables",
    "tf.compat.v1.gradients": "tf.GradientTape gives gradients, and inside tf.function tf.gradients does too",
    "tf.compat.v1.assign": "variable.assign(value) does it",
    "tf.compat.v1.assign_add": "variable.assign_add(value) does it",
    "tf.compat.v1.assign_sub": "variable.assign_sub(value) does it",
    "tf.compat.v1.Print": "tf.print prints tensors",
    "tf.compat.v1.py_func": "tf.py_function and tf.numpy_function call Python",
    "tf.compat.v1.disable_eager_execution": _VERSION_1,
    "tf.compat.v1.disable_v2_behavior": _VERSION_1,
    "tf.compat.v1.disable_v2_tensorshape": _VERSION_1,
    "tf.compat.v1.disable_tensor_equality": _VERSION_1,
    "tf.compat.v1.disable_resource_variables": _VERSION_1,
    "tf.compat.v1.disable_control_flow_v2": _VERSION_1,
    "tf.compat.v1.estimator": _ESTIMATOR,
    "tf.compat.v1.layers": _LAYERS,
    "tf.compat.v1.losses": "tf.keras.losses has the losses, which take (y_true, y_pred)",
    "tf.compat.v1.metrics": "tf.keras.metrics has the metrics, which keep their own state",
    "tf.compat.v1.lite": _DEPLOY,
    "tf.compat.v1.tpu": _TPU,
    "tf.compat.v1.train.AdadeltaOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.AdagradDAOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.AdagradOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.AdamOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.FtrlOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.GradientDescentOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.MomentumOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.Optimizer": _OPTIMIZER,
    "tf.compat.v1.train.ProximalAdagradOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.ProximalGradientDescentOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.RMSPropOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.SyncReplicasOptimizer": _OPTIMIZER,
    "tf.compat.v1.train.Saver": "tf.train.Checkpoint saves and restores variables",
    "tf.compat.v1.train.get_or_create_global_step": "keep the step in a tf.Variable(0, dtype=tf.int64)",
    "tf.compat.v1.train.get_global_step": "keep the step in a tf.Variable(0, dtype=tf.int64)",
    "tf.config": "whygrad runs on this machine's CPUs, and on GPUs through JAX: there is nothing to set here",
    "tf.config.experimental_connect_to_cluster": _STRATEGY,
    "tf.config.experimental_connect_to_host": _STRATEGY,
    "tf.data": _DATASETS,
    "tf.data.experimental.SqlDataset": _FILES,
    "tf.data.experimental.service": _STRATEGY,
    "tf.debugging": "errors carry their causes, and their tracebacks end at your own line: there is nothing to set here",
    "tf.debugging.experimental": "use `whygrad run` or tf.tracing(), which record a whole program",
    "tf.distribute": _STRATEGY,
    "tf.dtypes": _QUANTIZED,
    "tf.dtypes.experimental": _MIXED,
    "tf.qint8": _QUANTIZED,
    "tf.qint16": _QUANTIZED,
    "tf.qint32": _QUANTIZED,
    "tf.quint8": _QUANTIZED,
    "tf.quint16": _QUANTIZED,
    "tf.quantization": _QUANTIZED,
    "tf.resource": "a tf.Variable is an object of Python here, without a resource",
    "tf.variant": "use Python's lists, or tf.TensorArray",
    "tf.experimental": _EXTENSION,
    "tf.experimental.async_scope": "ops are computed at once",
    "tf.experimental.async_clear_error": "ops are computed at once",
    "tf.experimental.enable_strict_mode": "there are no deprecated names to warn of",
    "tf.experimental.dlpack": "np.from_dlpack takes a tensor; tf.constant takes what np.from_dlpack gives",
    "tf.experimental.dtensor": _DTENSOR,
    "tf.experimental.float8_e5m2fnuz": _MIXED,
    "tf.experimental.float8_e4m3fnuz": _MIXED,
    "tf.experimental.float8_e4m3b11fnuz": _MIXED,
    "tf.experimental.float4_e2m1fn": _MIXED,
    "tf.experimental.int2": _MIXED,
    "tf.experimental.int4": _MIXED,
    "tf.experimental.uint2": _MIXED,
    "tf.experimental.uint4": _MIXED,
    "tf.experimental.function_executor_type": "functions are compiled by XLA",
    "tf.experimental.numpy": "NumPy itself has it",
    "tf.experimental.numpy.random": "tf.random draws tensors, and NumPy's own np.random arrays",
    "tf.experimental.register_filesystem_plugin": _FILES,
    "tf.experimental.tensorrt": _DEPLOY,
    "tf.feature_column": "tf.one_hot, tf.gather and tf.concat prepare columns; tf.keras has layers for that",
    "tf.image": _BOXES,
    "tf.image.decode_jxl": _IMAGES,
    "tf.image.decode_webp": _IMAGES,
    "tf.image.extract_glimpse": "tf.image.crop_and_resize cuts out parts, with gradients",
    "tf.io": "tf.train.Example and tf.io.parse_example read and write the messages of TFRecord files",
    "tf.io.decode_webp": _IMAGES,
    "tf.io.decode_jxl": _IMAGES,
    "tf.io.match_filenames_once": "tf.io.matching_files gives the names",
    "tf.io.write_graph": _GRAPH,
    "tf.linalg": _OPERATOR,
    "tf.lite": _DEPLOY,
    "tf.load_library": _OPS,
    "tf.load_op_library": _OPS,
    "tf.make_ndarray": "tensor.numpy() gives the array",
    "tf.make_tensor_proto": "tensor.numpy() gives the array, which np.save writes",
    "tf.mlir": "tf.function compiles with XLA, which has its own settings (XLA_FLAGS)",
    "tf.nn.RNNCellDeviceWrapper": "tf.keras.layers has recurrent cells",
    "tf.nn.RNNCellDropoutWrapper": "tf.keras.layers has recurrent cells",
    "tf.nn.RNNCellResidualWrapper": "tf.keras.layers has recurrent cells",
    "tf.nn.fractional_avg_pool": "tf.nn.avg_pool pools with whole strides, and tf.image.resize with any",
    "tf.nn.fractional_max_pool": "tf.nn.max_pool pools with whole strides",
    "tf.nn": "tf.random.log_uniform_candidate_sampler and tf.random.uniform_candidate_sampler draw candidates",
    "tf.nondifferentiable_batch_function": "batch the calls in Python",
    "tf.profiler": _PROFILE,
    "tf.random": "tf.random.log_uniform_candidate_sampler and tf.random.uniform_candidate_sampler draw candidates",
    "tf.raw_ops": "whygrad has its ops in tf, tf.math, tf.nn and the other namespaces",
    "tf.saved_model": "tf.saved_model.save and load keep modules and functions, without TensorFlow's tags, assets and serving",
    "tf.sysconfig": "whygrad is Python on NumPy: there are no libraries to link",
    "tf.test": "tf.test.TestCase and tf.test.main are here, and pytest runs them",
    "tf.tpu": _TPU,
    "tf.train": "tf.train.Checkpoint and tf.train.CheckpointManager save and restore variables",
    "tf.train.Coordinator": _THREADS,
    "tf.train.ClusterSpec": _STRATEGY,
    "tf.train.ClusterDef": _STRATEGY,
    "tf.train.JobDef": _STRATEGY,
    "tf.train.ServerDef": _STRATEGY,
    "tf.train.ExponentialMovingAverage": "keep the average in a tf.Variable: average.assign(d * average + (1 - d) * w)",
    "tf.types": "tf.Tensor, tf.Variable and tf.types.experimental.TensorLike are the types for annotations",
    "tf.variable_creator_scope": "make variables through a function of your own",
    "tf.xla": "tf.function(jit_compile=True) compiles with XLA",
    # Names of TensorFlow 1, and names that other libraries have.
    "tf.Session": _GRAPH,
    "tf.InteractiveSession": _GRAPH,
    "tf.placeholder": _GRAPH,
    "tf.get_variable": "whygrad follows TensorFlow 2: make a tf.Variable and keep it in a tf.Module",
    "tf.variable_scope": "whygrad follows TensorFlow 2: hold variables in a tf.Module",
    "tf.global_variables_initializer": "whygrad follows TensorFlow 2: a tf.Variable has its value at once",
    "tf.layers": "layers are tf.keras.layers",
    "tf.activations": "activations are in tf.nn and tf.keras.activations",
    "tf.div": "tf.divide computes it",
    "tf.mul": "tf.multiply computes it",
    "tf.sub": "tf.subtract computes it",
    "tf.neg": "tf.negative computes it",
    "tf.pack": "tf.stack joins tensors",
    "tf.unpack": "tf.unstack takes a tensor apart",
    "tf.initialize_all_variables": "whygrad follows TensorFlow 2: a tf.Variable has its value at once",
    "tf.contrib": _GRAPH,
    "tf.estimator": _ESTIMATOR,
    "tf.app": "call your main function, and read arguments with argparse",
    "tf.flags": "read arguments with argparse",
    "tf.logging": "use Python's logging",
    "tf.to_float": "tf.cast(x, tf.float32)",
    "tf.to_int32": "tf.cast(x, tf.int32)",
    "tf.random_normal": "tf.random.normal draws it",
    "tf.random_uniform": "tf.random.uniform draws it",
    "tf.set_random_seed": "tf.random.set_seed sets it",
    "tf.truncated_normal": "tf.random.truncated_normal draws it",
    "tf.summary.FileWriter": "tf.summary.create_file_writer makes a writer, with as_default() and flush()",
}  # fmt: skip

# Names of Keras that programs look for in `tf` itself, with the namespace of `tf.keras` that has them.
_KERAS = {
    "models": "Model Sequential load_model save_model model_from_json clone_model",
    "layers": "Dense Conv1D Conv2D Conv3D LSTM GRU SimpleRNN Embedding Dropout BatchNormalization LayerNormalization Flatten "
    "MaxPooling2D AveragePooling2D GlobalAveragePooling2D InputLayer Layer Lambda Reshape Concatenate Add Attention "
    "MultiHeadAttention Bidirectional TimeDistributed",
    "optimizers": "Adam AdamW SGD RMSprop Adagrad Adadelta Adamax Nadam Ftrl",
    "losses": "BinaryCrossentropy CategoricalCrossentropy SparseCategoricalCrossentropy MeanSquaredError MeanAbsoluteError Huber",
    "callbacks": "Callback EarlyStopping ModelCheckpoint TensorBoard ReduceLROnPlateau",
    "initializers": "GlorotUniform GlorotNormal HeNormal HeUniform",
    "utils": "to_categorical get_file plot_model",
    "datasets": "mnist cifar10 fashion_mnist imdb",
}


def in_keras(name: str) -> str | None:
    """The place of a name in `tf.keras`; None for other names.

    >>> in_keras("load_model")
    'tf.keras.models.load_model'
    """
    return next((f"tf.keras.{place}.{name}" for place, names in _KERAS.items() if name in names.split()), None)


def is_public(name: str) -> bool:
    """Whether TensorFlow has this public name: `tf.io.read_file`. Those of `tf.raw_ops` are not listed: all count."""
    namespace, _, last = name.rpartition(".")
    return namespace == "tf.raw_ops" or last in NAMES.get(namespace, "").split()


def reason(name: str) -> str | None:
    """What to do without a name: the entry for it, or for the nearest namespace around it."""
    given = name
    while name.count("."):
        if name in REASONS and (name == given or is_public(given) or name in NAMES or name == "tf.compat.v1"):
            return REASONS[name]
        name = name.rpartition(".")[0]
    return None
