"""`tf.saved_model`: modules and their functions, saved so that they can be called without the Python that made them.

A saved model is a folder with one file, `model.safetensors`: the variables and constants as arrays, and as metadata a JSON text with
the objects by number, each with its kind and its children's names, and the functions, each with the arguments that it was traced
for and its steps (`whygrad.modules.saved_functions`). Nothing in it is Python code.
"""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from whygrad._public import export
from whygrad.compile.concrete import Concrete, OpenConcrete, PythonConcrete, all_of
from whygrad.compile.function import Function, Method
from whygrad.compile.open_sizes import Accepted
from whygrad.compile.signature import Place, fill
from whygrad.compile.specialized import Replayed, Specialization, Specializations
from whygrad.engines.recording import blank
from whygrad.modules import safetensors
from whygrad.modules.saved_functions import (
    COMPUTES_STRINGS,
    Caller,
    Sizes,
    Unsaveable,
    Writer,
    decode,
    encode,
    generalized,
)
from whygrad.modules.tracking import Trackable, children, is_trackable
from whygrad.ops.random_generators import Generator
from whygrad.values import dtypes, nest
from whygrad.values.conversion import convert
from whygrad.values.errors import DataLossError, Explained, OpTypeError, OpValueError, first_raised, invalid
from whygrad.values.faults import StringsComputed, Uncompilable
from whygrad.values.spec import TensorSpec
from whygrad.values.tensor import Tensor, whole_value
from whygrad.values.variable import Variable

Json = Any
_FILE = "model.safetensors"
_TENSORFLOWS = ("saved_model.pb", "saved_model.pbtxt")
_KEY = "whygrad.saved_model"
_VERSION = 1
DEFAULT_SIGNATURE = "serving_default"


# -- what TensorFlow's programs pass --


@export("saved_model.SaveOptions")
class SaveOptions:
    """Options of `save`, as TensorFlow's programs pass them. Custom gradients are always saved; the others change nothing.

    >>> import whygrad as tf
    >>> tf.saved_model.SaveOptions(experimental_custom_gradients=True).experimental_custom_gradients
    True
    """

    def __init__(
        self,
        namespace_whitelist: Any = None,
        save_debug_info: bool = False,
        function_aliases: Any = None,
        experimental_debug_stripper: bool = False,
        experimental_io_device: Any = None,
        experimental_variable_policy: Any = None,
        experimental_custom_gradients: bool = True,
        experimental_image_format: bool = False,
        experimental_skip_saver: bool = False,
        experimental_sharding_callback: Any = None,
        extra_tags: Any = None,
    ) -> None:
        self.namespace_whitelist = namespace_whitelist or []
        self.save_debug_info = save_debug_info
        self.function_aliases = function_aliases or {}
        self.experimental_io_device = experimental_io_device
        self.experimental_variable_policy = experimental_variable_policy
        self.experimental_custom_gradients = experimental_custom_gradients
        self.extra_tags = extra_tags


@export("saved_model.LoadOptions")
class LoadOptions:
    """Options of `load`, as TensorFlow's programs pass them; they change nothing.

    >>> import whygrad as tf
    >>> tf.saved_model.LoadOptions().allow_partial_checkpoint
    False
    """

    def __init__(
        self,
        allow_partial_checkpoint: bool = False,
        experimental_io_device: Any = None,
        experimental_skip_checkpoint: bool = False,
        experimental_variable_policy: Any = None,
        experimental_load_function_aliases: bool = False,
    ) -> None:
        self.allow_partial_checkpoint = allow_partial_checkpoint
        self.experimental_io_device = experimental_io_device
        self.experimental_skip_checkpoint = experimental_skip_checkpoint
        self.experimental_variable_policy = experimental_variable_policy


@export("saved_model.contains_saved_model")
def contains_saved_model(export_dir: Any) -> bool:
    """Whether a folder holds a saved model: whygrad's, or TensorFlow's, which `load` refuses.

    >>> import whygrad as tf
    >>> tf.saved_model.contains_saved_model("/nowhere")
    False
    """
    folder = os.fspath(export_dir)
    return any(os.path.exists(os.path.join(folder, name)) for name in (_FILE, *_TENSORFLOWS))


# -- saving --


@export("saved_model.save")
def save(obj: Any, export_dir: Any, signatures: Any = None, options: Any = None) -> None:
    """Save a module with its variables and functions, so that `load` gives an object that can be called without its Python.

    Of a `tf.function` the versions are saved that it was traced for: those of its calls so far, of its `input_signature`, and of
    `get_concrete_function`. `signatures`, a function or a dict of functions, are saved under the names that serving programs use.
    A Keras model is saved as its signature "serving_default", as in TensorFlow.
    The format is whygrad's own. A version that cannot be saved is left out with a warning, and is an error if the function has no other.

    >>> import tempfile
    >>> import whygrad as tf
    >>> class Scale(tf.Module):
    ...     def __init__(self):
    ...         self.factor = tf.Variable(2.0)
    ...     @tf.function(input_signature=[tf.TensorSpec([None])])
    ...     def __call__(self, x):
    ...         return self.factor * x
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.saved_model.save(Scale(), folder)
    ...     scale = tf.saved_model.load(folder)
    >>> scale(tf.constant([1.0, 3.0])).numpy()
    array([2., 6.], dtype=float32)
    """
    served = getattr(obj, "_default_save_signature", None)
    if isinstance(served, Function):  # a Keras model: programs use what it serves, and nothing else of it
        signatures = served if signatures is None else signatures
        obj = LoadedObject()
    if not isinstance(obj, Trackable):
        raise OpValueError(
            f"Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the `Trackable` class, for export. Got {obj} "
            f"with type {type(obj)}."
        )
    writing = _Writing()
    root = writing.node(obj)
    named = {name: writing.concrete(_concrete(function, name)) for name, function in _signatures(signatures).items()}
    objects, functions = writing.objects, writing.functions  # after the functions: these may use variables of their own
    arrays: dict[str, Any] = dict(writing.writer.arrays)
    about = []
    for number, variable in enumerate(writing.writer.variables):
        arrays[f"variable/{number}"] = np.asarray(whole_value(variable.value_here))
        about.append({"name": variable.name.removesuffix(":0"), "trainable": variable.trainable})
    text = json.dumps(
        {
            "version": _VERSION,
            "root": root,
            "objects": objects,
            "functions": functions,
            "variables": about,
            "signatures": named,
        }
    )
    folder = os.fspath(export_dir)
    os.makedirs(folder, exist_ok=True)
    safetensors.write(os.path.join(folder, _FILE), arrays, {_KEY: text})
    for reason in writing.left_out:
        warnings.warn(f"a version of {reason}. The function's other versions are saved.", stacklevel=2)


def _signatures(given: Any) -> dict[str, Any]:
    if given is None:
        return {}
    return dict(given) if isinstance(given, Mapping) else {DEFAULT_SIGNATURE: given}


def _concrete(function: Any, name: str) -> Concrete:
    if isinstance(function, Concrete):
        return function
    if isinstance(function, Function | Method):
        if function.input_signature is not None:
            return function.get_concrete_function()  # type: ignore[no-any-return]
        raise OpValueError(
            f"the signature {name!r} needs its arguments: pass the result of get_concrete_function, or give the tf.function an "
            "input_signature"
        )
    raise OpValueError(
        f"Expected a TensorFlow function for which to generate a signature, but got {function!r}. Only `tf.functions` with an input "
        "signature or concrete functions can be used as a signature."
    )


class _VersionUnsaveable(OpValueError):
    """A version of a function cannot be written as steps."""


class _Writing:
    """The objects and functions of a model that is being saved."""

    def __init__(self) -> None:
        self.writer = Writer()
        self.objects: list[Json] = []
        self.functions: list[Json] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[Any] = []  # the objects, whose identities are noted
        self.left_out: list[str] = []  # why versions of functions are not saved that have others

    def node(self, value: Any) -> int:
        """Return the number of an object, written with all that it holds."""
        value = value.handle if isinstance(value, Variable) else value
        if id(value) in self._numbers:
            return self._numbers[id(value)]
        number = self._numbers[id(value)] = len(self.objects)
        self._kept.append(value)
        node: dict[str, Json] = {}
        self.objects.append(node)
        if isinstance(value, Variable):
            node.update(kind="variable", variable=self.writer.variable(value))
        elif isinstance(value, Concrete):
            node.update(kind="function", name=value._owner.name, versions=[self.concrete(value)])
        elif isinstance(value, Function | Method):
            node.update(kind="function", name=_name(value), versions=self._saveable(_versions(value)))
        else:
            kind = "generator" if isinstance(value, Generator) else _KINDS.get(type(value), "object")
            found = dict(_held(value))
            node.update(kind=kind, children={name: self.node(each) for name, each in found.items()})
            if kind == "list":
                node["length"] = len(value)
        return number

    def _saveable(self, versions: Sequence[Concrete]) -> list[int]:
        """Return the numbers of those versions that can be saved, and note the others; raise if there are only such."""
        numbers, refused = [], []
        for each in versions:
            try:
                numbers.append(self.concrete(each))
            except _VersionUnsaveable as error:
                refused.append(error)
        if refused and not numbers:
            raise refused[0]
        self.left_out += [str(each) for each in refused]
        return numbers

    def concrete(self, concrete: Concrete) -> int:
        """Return the number of a function for one kind of arguments, written as its steps."""
        try:
            self.functions.append(self._written(concrete))
        except Unsaveable as error:
            raise _VersionUnsaveable(f"{concrete._owner.name} cannot be saved: {error}") from None
        return len(self.functions) - 1

    def _written(self, concrete: Concrete) -> Json:
        if isinstance(concrete, PythonConcrete):
            raise Unsaveable(_AS_PYTHON)
        owner = concrete._owner
        op_by_op = Specializations(
            owner.python_function, None, Replayed, may_run_as_python=False, autograph=owner._autograph
        )
        arguments = concrete._arguments()
        instance = [each.object for each in concrete._special.structure[0][:1]] if concrete._is_method else []
        given = (
            (*instance, *[each.value for each in arguments if not each.by_keyword]),
            {each.name: each.value for each in arguments if each.by_keyword},
        )
        specs = [each for each in nest.flatten(given) if isinstance(each, TensorSpec)]
        traces, sizes, special = [], [], None
        accepted = concrete.accepted if isinstance(concrete, OpenConcrete) else None
        for trial in _trials(specs, accepted):
            special = _version(op_by_op, given, trial)
            assert isinstance(special, Replayed) and special._program is not None, "what runs as Python is refused"
            body = self.writer.program(special._program, special._placeholders)
            body["structure"] = _encoded(special.results, self.writer)
            traces.append(body)
            sizes.append(_sizes(trial, specs))
        return {
            "name": owner.name,
            "arguments": [
                _argument(each, owner.parameters.parameters.get(each.name), self.writer) for each in arguments
            ],
            "input_names": concrete._input_names,
            "outputs": [_spec(each) for each in concrete._outputs],
            "exact_sizes": [each.exact for each in accepted or ()],
            "body": traces[0] if len(traces) == 1 else generalized(traces, sizes),
        }


def _argument(argument: Any, parameter: inspect.Parameter | None, writer: Writer) -> Json:
    """Write an argument: its name, what it must be, and the value that it has if a call leaves it out."""
    written = {
        "name": argument.name,
        "by_keyword": argument.by_keyword,
        "value": _encoded(argument.value, writer),
    }
    if parameter is not None and parameter.default is not parameter.empty:
        written["default"] = _encoded(parameter.default, writer)
    return written


_AS_PYTHON = (
    "it runs as Python at each call, because it computes strings, ragged tensors or shapes that depend on values"
)
_KINDS: dict[Any, str] = {list: "list", dict: "dict", tuple: "list"}


def _name(function: Any) -> str:
    return str(function._function.name if isinstance(function, Method) else function.name)


def _held(value: Any) -> Iterator[tuple[str, Any]]:
    """What is saved of an object: variables, objects and functions, with the names under which it holds them."""
    if isinstance(value, Trackable):
        found = dict(vars(value))
        for name in dir(type(value)):
            if isinstance(getattr(type(value), name, None), Function):
                found.setdefault(name, getattr(value, name))
        for name, each in found.items():
            if isinstance(each, Function | Method | Concrete) or (is_trackable(each) and name not in value._UNTRACKED):
                yield name, each
    elif isinstance(value, list | tuple):
        yield from [(str(i), each) for i, each in enumerate(value) if is_trackable(each) or isinstance(each, Function)]
    elif isinstance(value, dict):
        yield from [
            (str(name), each) for name, each in value.items() if is_trackable(each) or isinstance(each, Function)
        ]
    else:
        yield from children(value)


def _versions(function: Function[Any, Any] | Method[Any, Any]) -> list[Concrete]:
    """The versions of a function that are saved."""
    if function.input_signature is not None:
        return [function.get_concrete_function()]
    owner = function._function if isinstance(function, Method) else function
    found: list[Concrete] = []
    for each in owner._in_use:
        held = [concrete for concrete in list(each.concretes.values()) if isinstance(concrete, OpenConcrete)]
        for concrete in [*held, *all_of(each)]:
            if isinstance(function, Method) and concrete._special.structure[0][0].object is not function.args[0]:
                continue
            if not any(_covers(other, concrete) for other in found):
                found.append(concrete)
    return found


def _covers(general: Concrete, special: Concrete) -> bool:
    """Whether one version takes all arguments that the other takes."""
    first, second = general._arguments(), special._arguments()
    if len(first) != len(second):
        return False
    for one, other in zip(first, second):
        mine, others = nest.flatten(one.value), nest.flatten(other.value)
        if one.name != other.name or len(mine) != len(others) or not all(map(_takes, mine, others)):
            return False
    return True


def _takes(mine: Any, other: Any) -> bool:
    if isinstance(mine, TensorSpec) and isinstance(other, TensorSpec):
        return mine.is_compatible_with(TensorSpec(other.shape, other.dtype))
    return type(mine) is type(other) and bool(mine == other)


# Sizes in place of None, and ranks in place of unknown ones. Sizes are all different in the first trials; where the function does not
# accept that, the axes of the same number have the same size, or all sizes are equal.
_RANKS = (2, 3, 1)
# For each open axis its size in each trial. No size, and no product of up to four, is a linear function of another.
_MADE_UP = ((12, 24, 8), (16, 44, 12), (20, 12, 36), (8, 32, 44), (32, 20, 48), (28, 40, 32), (44, 48, 28))
_SIZES = (
    lambda trial, position, axis: _made_up(position)[trial],
    lambda trial, position, axis: _made_up(axis)[trial],
    lambda trial, position, axis: _made_up(0)[trial],
)


def _made_up(number: int) -> list[int]:
    again, which = divmod(number, len(_MADE_UP))
    return [size * (1 + again) for size in _MADE_UP[which]]


class _Trial(list[tuple[int, ...]]):
    """The shapes of all inputs; `others` are to be tried where these do not suit the function."""

    others: Sequence[_Trial] = ()


def _trials(specs: Sequence[TensorSpec], accepted: Sequence[Accepted] | None) -> list[_Trial]:
    """The shapes for which a function of these arguments is traced, of the sizes that it accepts."""
    if all(each.shape.is_fully_defined() for each in specs):
        return [_Trial(tuple(each.shape) for each in specs)]
    trials = []
    for number in range(len(_RANKS)):
        ways = [_Trial(_shapes(specs, number, size, accepted)) for size in _SIZES]
        ways[0].others = ways[1:]
        trials.append(ways[0])
    return trials


def _shapes(
    specs: Sequence[TensorSpec], number: int, size: Any, accepted: Sequence[Accepted] | None
) -> Iterator[tuple[int, ...]]:
    position = 0
    for spec in specs:
        sizes: list[Any] = [None] * _RANKS[number] if spec.shape.rank is None else list(spec.shape)
        for axis, each in enumerate(sizes):
            if each is None:
                made_up = size(number, position, axis)
                sizes[axis] = made_up if accepted is None else accepted[position].size(made_up)
                position += 1
        yield tuple(sizes)


def _sizes(shapes: Sequence[tuple[int, ...]], specs: Sequence[TensorSpec]) -> Sizes:
    """What the specs leave open, as these shapes have it."""
    pairs = list(zip(shapes, specs))
    known = [(shape, spec) for shape, spec in pairs if spec.shape.rank is not None]
    return Sizes(
        [size for shape, spec in known for size, each in zip(shape, spec.shape) if each is None],
        [shape for shape, spec in pairs if spec.shape.rank is None],
    )


def _version(owner: Specializations, given: Any, trial: _Trial) -> Specialization:
    """Trace a function for arguments of these shapes, or of the next that suit it."""
    for way in (trial, *trial.others):
        try:
            found = owner.version_for(*_with_examples(given, way))[1]
        except Exception as error:
            if way is not (trial, *trial.others)[-1]:
                continue
            fault = first_raised(error).fault if isinstance(error, Explained) else None
            if isinstance(fault, Uncompilable):
                raise Unsaveable(COMPUTES_STRINGS if isinstance(fault, StringsComputed) else _AS_PYTHON) from None
            raise
        trial[:] = way
        return found
    raise AssertionError("the last way returns or raises")


def _with_examples(given: Any, shapes: Sequence[tuple[int, ...]]) -> Any:
    rest = iter(shapes)

    def example(value: Any) -> Any:
        if not isinstance(value, TensorSpec):
            return value
        return convert(blank(next(rest), value.dtype.numpy_dtype), None)

    return nest.map_structure(example, given)


def _spec(spec: TensorSpec) -> Json:
    shape = None if spec.shape.rank is None else list(spec.shape)
    return {"shape": shape, "dtype": spec.dtype.name, "name": spec.name}


def _read_spec(written: Json) -> TensorSpec:
    return TensorSpec(written["shape"], dtypes.as_dtype(written["dtype"]), written["name"])


def _encoded(value: Any, writer: Writer) -> Json:
    """Write a structure of arguments or results: the specs and places of tensors, and Python values."""
    if isinstance(value, TensorSpec):
        return {"spec": _spec(value)}
    if type(value) is Place:
        return {"place": value.index}
    return encode(value, lambda each: _encoded(each, writer), writer.constant)


def _decoded(written: Json) -> Any:
    if type(written) is dict and "spec" in written:
        return _read_spec(written["spec"])
    if type(written) is dict and "place" in written:
        return Place(written["place"])
    return decode(written, _decoded)


# -- loading --


@export("saved_model.load")
def load(export_dir: Any, tags: Any = None, options: Any = None) -> Any:
    """Load what `save` saved: an object with the variables and functions of the saved one.

    TensorFlow's own SavedModels, which hold TensorFlow graphs, are refused.

    >>> import whygrad as tf
    >>> try:
    ...     tf.saved_model.load("/nowhere")
    ... except OSError as error:
    ...     print(error)
    SavedModel file does not exist at: /nowhere/model.safetensors
    """
    folder = os.fspath(export_dir)
    path = os.path.join(folder, _FILE)
    if not os.path.exists(path):
        if contains_saved_model(folder):
            raise OpValueError(
                f"{folder} is a SavedModel of TensorFlow's, which holds a graph that only TensorFlow runs: load the weights from a "
                "checkpoint or a .keras file, or save the model with whygrad"
            )
        raise OSError(f"SavedModel file does not exist at: {path}")
    with safetensors.Reader(path) as reader:
        text = reader.metadata.get(_KEY)
        if text is None:
            raise DataLossError(None, None, f"{path} holds arrays, but no saved model")
        model = safetensors.parsed(text)
        if model.get("version") != _VERSION:
            raise DataLossError(
                None, None, f"{path} has version {model.get('version')} of the format; this is {_VERSION}"
            )
        names = list(reader.entries)
        arrays = dict(zip(names, reader.read_all(names)))
    return _Loading(model, arrays).root()


class LoadedObject(Trackable):
    """An object of a loaded model, with the variables, objects and functions of the saved one as attributes."""


class CallableObject(LoadedObject):
    """A loaded object whose class had a `tf.function` as its `__call__`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the saved function."""
        return self.__dict__["__call__"](*args, **kwargs)


class _Loading:
    def __init__(self, model: Json, arrays: Mapping[str, Any]) -> None:
        self._model, self._arrays = model, arrays
        self._variables = [
            Variable(arrays[f"variable/{number}"], trainable=each["trainable"], name=each["name"])
            for number, each in enumerate(model["variables"])
        ]
        self._functions = [LoadedVersion(each, arrays, self._variables) for each in model["functions"]]
        self._made: dict[int, Any] = {}

    def root(self) -> Any:
        root = self._object(self._model["root"])
        root.signatures = {name: Signature(self._functions[i]) for name, i in self._model["signatures"].items()}
        return root

    def _object(self, number: int) -> Any:
        if number in self._made:
            return self._made[number]
        node = self._model["objects"][number]
        kind = node["kind"]
        if kind == "variable":
            found: Any = self._variables[node["variable"]]
        elif kind == "function":
            found = LoadedFunction(node["name"], [self._functions[i] for i in node["versions"]])
        elif kind == "list":
            found = [None] * node["length"]
        elif kind == "dict":
            found = {}
        elif kind == "generator":
            state = self._object(node["children"]["_state_var"])
            found = Generator.from_state(state, "philox")
        else:
            found = CallableObject() if "__call__" in node["children"] else LoadedObject()
        self._made[number] = found
        if kind not in ("variable", "function", "generator"):
            for name, child in node["children"].items():
                value = self._object(child)
                if kind == "list":
                    found[int(name)] = value
                elif kind == "dict":
                    found[name] = value
                else:
                    setattr(found, name, value)
        return found


_MISSING = object()  # in place of an argument that a call must give


class _Expected:
    """An argument of a saved function."""

    def __init__(self, written: Json) -> None:
        self.name: str = written["name"]
        self.by_keyword: bool = written["by_keyword"]
        self.value = _decoded(written["value"])
        self.default = _decoded(written["default"]) if "default" in written else _MISSING


class LoadedVersion:
    """A saved function for one kind of arguments."""

    def __init__(self, written: Json, arrays: Mapping[str, Any], variables: Sequence[Variable]) -> None:
        self.name: str = written["name"]
        self.arguments = [_Expected(each) for each in written["arguments"]]
        self.outputs = [_read_spec(each) for each in written["outputs"]]
        self.specs = [
            each for expected in self.arguments for each in nest.flatten(expected.value) if isinstance(each, TensorSpec)
        ]
        self.input_names: list[str] = written["input_names"]
        # The sizes of the open axes, where it takes one size alone.
        self._exact_sizes: list[int | None] = written.get("exact_sizes", [])
        self._body = written["body"]
        self.structure = _decoded(self._body["structure"])
        self._arrays, self._variables = arrays, variables

        def restored(*tensors: Tensor) -> Any:
            return self._call(tensors)

        restored.__name__ = self.name
        self.function: Any = Function(restored, autograph=None)

    @property
    def concrete(self) -> Any:
        """It as a concrete function of its tensors."""
        return self.function.get_concrete_function(*[TensorSpec(each.shape, each.dtype) for each in self.specs])

    def _call(self, tensors: Sequence[Tensor]) -> Any:
        sizes = _sizes([tuple(tensor.shape) for tensor in tensors], self.specs)
        if any(exact not in (None, size) for exact, size in zip(self._exact_sizes, sizes.open)):
            raise invalid(
                f"{self.name} takes the sizes {self._exact_sizes} along the axes that its signature leaves open (None: any), and "
                f"is given {sizes.open}: when it was saved, it accepted no others"
            )
        results = Caller(self._arrays, self._variables, sizes).call(self._body, tensors)
        return fill(self.structure, results)

    def tensors_of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Tensor] | None:
        """The tensors of a call, if its arguments are those that the function was saved for."""
        named = dict(kwargs)
        given = list(args)
        tensors: list[Tensor] = []
        for expected in self.arguments:
            if given and not expected.by_keyword:
                value = given.pop(0)
            else:
                value = named.pop(expected.name, expected.default)
            found = _matched(expected.value, value)
            if found is None:
                return None
            tensors += found
        return None if given or named else tensors

    def __str__(self) -> str:
        return "\n".join(f"    * {each.name}: {each.value!r}" for each in self.arguments) or "    (no arguments)"


def _matched(expected: Any, value: Any) -> list[Tensor] | None:
    """The tensors of an argument, if it is what was expected."""
    if value is _MISSING:
        return None
    if isinstance(expected, TensorSpec):
        try:
            tensor = convert(value, None if isinstance(value, Tensor | Variable | np.ndarray) else expected.dtype)
        except (TypeError, ValueError):
            return None
        return [tensor] if TensorSpec(expected.shape, expected.dtype).is_compatible_with(tensor) else None
    if not nest.is_nested(expected):
        return [] if type(value) is type(expected) and value == expected else None
    mine, others = nest.children_of(expected), nest.children_of(value) if nest.is_nested(value) else None
    if others is None or len(mine) != len(others):
        return None
    if isinstance(expected, dict) and (not isinstance(value, dict) or expected.keys() != value.keys()):
        return None
    found: list[Tensor] = []
    for pair in zip(mine, others):
        part = _matched(*pair)
        if part is None:
            return None
        found += part
    return found


class LoadedFunction:
    """A saved `tf.function`: it can be called with the kinds of arguments that it was traced for."""

    def __init__(self, name: str, versions: Sequence[LoadedVersion]) -> None:
        self.name = self.__name__ = name
        self._versions = versions

    @property
    def concrete_functions(self) -> list[Any]:
        """The versions, as functions of their tensors, with the variables that each uses."""
        return [each.concrete for each in self._versions]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the version that was saved for such arguments."""
        for version in self._versions:
            tensors = version.tensors_of(args, kwargs)
            if tensors is not None:
                return version.function(*tensors)
        if not self._versions:
            raise OpValueError(
                f"Found zero restored functions for caller function: {self.name} was saved before it was called. Call it, or give it an "
                "input_signature, before saving."
            )
        options = "\n".join(f"  Option {i}:\n{version}" for i, version in enumerate(self._versions, 1))
        raise OpValueError(
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
            f"  Positional arguments ({len(args)} total):\n"
            + "".join(f"    * {each!r}\n" for each in args)
            + f"  Keyword arguments: {kwargs}\n\n Expected these arguments to match one of the following {len(self._versions)} option(s):\n"
            + options
        )


class Signature:
    """A function of a loaded model for serving: it takes tensors by name, and gives a dict of tensors."""

    def __init__(self, version: LoadedVersion) -> None:
        self._version = version
        self.name = version.name

    def __call__(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Call it with the tensors by name, or with the only one by position."""
        names = self._version.input_names
        if args and (len(args) > 1 or len(names) != 1 or kwargs):
            raise OpTypeError(f"the signature takes its arguments by name: {', '.join(names)}")
        given = dict(zip(names, args)) | kwargs
        if set(given) != set(names):
            raise OpTypeError(f"the signature takes the arguments {', '.join(names)}, not {', '.join(given) or 'none'}")
        tensors = [convert(given[name], spec.dtype) for name, spec in zip(names, self._version.specs)]
        return self._named(self._version.function(*tensors))

    def _named(self, result: Any) -> dict[str, Any]:
        if isinstance(result, Mapping):
            return dict(result)
        return {f"output_{i}": each for i, each in enumerate(nest.flatten(result))}

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that it uses."""
        return self._version.concrete.variables  # type: ignore[no-any-return]

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are trainable."""
        return self._version.concrete.trainable_variables  # type: ignore[no-any-return]

    @property
    def structured_input_signature(self) -> tuple[tuple[()], dict[str, TensorSpec]]:
        """The tensors that it takes, by name."""
        pairs = zip(self._version.input_names, self._version.specs)
        return (), {name: TensorSpec(spec.shape, spec.dtype, name) for name, spec in pairs}

    @property
    def structured_outputs(self) -> dict[str, TensorSpec]:
        """The tensors that it gives, by name."""
        named = self._named(fill(self._version.structure, self._version.outputs))
        return {name: TensorSpec(spec.shape, spec.dtype, name) for name, spec in named.items()}
