"""Checkpoint: saves the variables of a program under the paths that lead to them, and restores them by those paths."""

from __future__ import annotations

import atexit
import functools
import json
import os
import warnings
import weakref
from collections import deque
from typing import Any, NamedTuple

import numpy as np

from whygrad._public import export
from whygrad.engines.processes import team
from whygrad.modules import checkpoint_state, safetensors
from whygrad.modules.tracking import (
    RestoringDict,
    RestoringList,
    Saved,
    Trackable,
    children,
    is_trackable,
    make_restorable,
)
from whygrad.runtime.call_sites import users_site
from whygrad.values import dtypes
from whygrad.values.errors import NotFoundError, OpValueError, invalid
from whygrad.values.tensor import whole_value
from whygrad.values.variable import Variable

SUFFIX = ".safetensors"
_ATTRIBUTE = "/.ATTRIBUTES/VARIABLE_VALUE"  # the ending of TensorFlow's names of saved variables
_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"  # TensorFlow's name of the saved graph of objects, which is a string there


@export("CheckpointWarning")
class CheckpointWarning(UserWarning):
    """A checkpoint does not match the objects it was restored to, and the program has not said that this is intended.

    >>> import whygrad as tf
    >>> issubclass(tf.CheckpointWarning, UserWarning)
    True
    """


CheckpointWarning.__module__ = "whygrad"


# -- the saved graph of objects --


class Node(NamedTuple):
    """An object of a saved graph: its children by name, and the name of its array if it was a variable."""

    children: dict[str, int]
    value: str | None


def _escaped(name: str) -> str:
    """A name as one part of a path: slashes are escaped."""
    return name.replace(".", "..").replace("/", ".S")


def _walk(root: Any) -> list[tuple[str, Any, dict[str, int]]]:
    """Every object that `root` leads to, breadth first, each once: its shortest path, and its children's numbers."""
    found: list[tuple[str, Any, dict[str, int]]] = [("", root, {})]
    numbers = {id(root): 0}
    queue = deque(found)
    while queue:
        path, each, links = queue.popleft()
        for name, child in children(each):
            number = numbers.get(id(child))
            if number is None:
                number = numbers[id(child)] = len(found)
                found.append((f"{path}/{_escaped(name)}" if path else _escaped(name), child, {}))
                queue.append(found[-1])
            links[name] = number
    return found


def _graph_of_names(names: list[str]) -> list[Node]:
    """The graph of a file that another program wrote: the names of its arrays are the paths."""
    nodes = [Node({}, None)]
    for name in names:
        at = 0
        for part in name.split("/"):
            at = nodes[at].children.setdefault(part, len(nodes))
            if at == len(nodes):
                nodes.append(Node({}, None))
        nodes[at] = nodes[at]._replace(value=name)
    return nodes


def _read_graph(reader: safetensors.Reader) -> list[Node]:
    saved = reader.metadata.get("graph")
    if saved is None:
        return _graph_of_names(list(reader.entries))
    return reader.checked(lambda: _parse_graph(saved, reader))


def _parse_graph(saved: str, reader: safetensors.Reader) -> list[Node]:
    nodes = safetensors.parsed(saved)
    if not isinstance(nodes, list) or not nodes:
        raise OpValueError("the saved graph of objects is not a list")
    for number, node in enumerate(nodes):
        if not isinstance(node, list) or len(node) != 2 or not isinstance(node[0], dict):
            raise OpValueError(f"object {number} of the saved graph is not a pair of children and value")
        links, value = node
        if not all(type(each) is int and 0 <= each < len(nodes) for each in links.values()):
            raise OpValueError(f"object {number} of the saved graph has children that are not in it")
        if value is not None and (not isinstance(value, str) or value not in reader.entries):
            raise OpValueError(f"object {number} of the saved graph has the value {value!r:.40}, which the file lacks")
    return [Node(links, value) for links, value in nodes]


def write_graph(root: Any, path: str) -> None:
    """Save every variable that `root` leads to."""
    nodes, arrays = [], {}
    for name, each, links in _walk(root):
        nodes.append((links, name if isinstance(each, Variable | Saved) else None))
        if isinstance(each, Variable):
            arrays[name] = whole_value(each.value_here)
        elif isinstance(each, Saved):
            arrays[name] = each._saved_array()
    metadata = {"format": "whygrad", "graph": json.dumps(nodes, separators=(",", ":"))}
    team.first(lambda: safetensors.write(path + SUFFIX, arrays, metadata), f"writing {path}")


def file_of(save_path: Any) -> str:
    """The file of a checkpoint, given its own path or the path that `save` returned."""
    path: str = os.fspath(save_path)
    for candidate in (path + SUFFIX, path):
        if candidate.endswith(SUFFIX) and os.path.isfile(candidate):
            return candidate
    help = "Please double-check that the path is correct. You may be missing the checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1')."
    if os.path.isfile(path + ".index"):
        help = f"{path}.index is in TensorFlow's own format; whygrad reads and writes safetensors."
    raise NotFoundError(
        None,
        None,
        f"Error when restoring from checkpoint or SavedModel at {path}: Unsuccessful TensorSliceReader constructor: "
        f"Failed to find any matching files for {path}\n{help}",
    )


# -- restoring --


class Restoration:
    """A checkpoint that is being restored: its graph, and the variables that were restored so far."""

    def __init__(self, save_path: Any) -> None:
        self.reader = safetensors.Reader(file_of(save_path))  # open until `read` is done
        self.nodes = _read_graph(self.reader)
        self.restored: dict[int, Variable] = {}  # by id; keeping the variables keeps their ids unique
        self.used: set[int] = set()  # the numbers of the restored nodes
        self.site = users_site(3)
        # The variables without a saved value, where the program did not say that this is intended.
        self.missing: list[str] = []
        self.is_settled = True
        _restorations.add(self)

    def bind(self, value: Any, number: int) -> None:
        """Restore the variables below `value` from the node: all of them, or none if one has another shape or dtype."""
        assigned: list[tuple[Variable, int, str]] = []
        saved: list[tuple[Saved, int, str]] = []
        waiting: list[tuple[Any, dict[str, int]]] = []
        queue, seen = deque([(value, number)]), set()
        while queue:
            each, at = queue.popleft()
            if id(each) in seen:
                continue
            seen.add(id(each))
            node = self.nodes[at]
            if isinstance(each, Variable):
                if node.value is not None:
                    assigned.append((each, at, node.value))
                continue
            if isinstance(each, Saved):
                if node.value is not None:
                    saved.append((each, at, node.value))
                continue
            later = dict(node.children)
            if isinstance(each, Trackable):
                make_restorable(each, later)
            queue.extend([(child, later.pop(name)) for name, child in children(each) if name in later])
            if isinstance(each, Trackable | RestoringList | RestoringDict):
                waiting.append((each, later))
        self._check([(variable, name) for variable, _, name in assigned])
        arrays = self.reader.read_all([name for _, _, name in assigned])
        for (variable, at, _), array in zip(assigned, arrays):
            variable.rebind(array)
            self.restored[id(variable)] = variable
            self.used.add(at)
        for (each, at, _), array in zip(saved, self.reader.read_all([name for _, _, name in saved])):
            each._restore_array(array)
            self.used.add(at)
        for each, later in waiting:
            arrived = functools.partial(self._arrived, later)
            if isinstance(each, Trackable):
                each.__dict__["_restoring"] = arrived
            else:
                each.restoring = arrived

    def _arrived(self, later: dict[str, int], name: str, value: Any) -> None:
        """Restore an attribute that was assigned for the first time, if the checkpoint has a value for it."""
        if name in later:
            self.bind(value, later.pop(name))

    def without_variable(self) -> list[str]:
        """The saved values that have no variable in the program."""
        return [node.value for i, node in enumerate(self.nodes) if node.value is not None and i not in self.used]

    def warn(self) -> None:
        """Warn of what did not match, at the line of `restore`: nothing more can be restored."""
        missing, unused = self.missing, self.without_variable()
        if self.is_settled or not (missing or unused):
            return
        self.is_settled = True
        parts = []
        if missing:
            parts.append(f"{len(missing)} variables were not restored ({', '.join(missing[:5])})")
        if unused:
            parts.append(f"{len(unused)} saved values were not used ({', '.join(unused[:5])})")
        code, instruction = self.site
        line = list(code.co_positions())[instruction // 2][0] or code.co_firstlineno
        warnings.warn_explicit(
            f"{self.reader.path}: {' and '.join(parts)}. Call assert_consumed() on the result of restore() "
            "to make this an error, or expect_partial() if it is intended.",
            CheckpointWarning,
            code.co_filename,
            line,
        )

    def __del__(self) -> None:
        # No object waits for its values any more.
        if not self.__dict__.get("is_settled", True):
            self.warn()

    def _check(self, wanted: list[tuple[Variable, str]]) -> None:
        shapes, kinds = [], []
        for variable, name in wanted:
            entry = self.reader.entries[name]
            if not variable.shape.is_compatible_with(entry.shape):
                shapes.append(
                    f"Received incompatible tensor with shape {entry.shape} when attempting to restore variable with shape "
                    f"{variable.shape} and name {variable.name}. (Saved as {name} in {self.reader.path}.)"
                )
            elif variable.dtype is not entry.dtype:
                kinds.append(
                    f"tensor_name = {name}{_ATTRIBUTE}; expected dtype {variable.dtype.cxx_name} does not equal original "
                    f"dtype {entry.dtype.cxx_name} [Op:RestoreV2] (variable {variable.name}, in {self.reader.path})"
                )
        if shapes:
            raise OpValueError("\n".join(shapes + kinds))
        if kinds:
            raise invalid("\n".join(kinds))


_restorations: weakref.WeakSet[Restoration] = weakref.WeakSet()


@atexit.register
def _warn_of_all() -> None:
    for each in list(_restorations):
        each.warn()


class CheckpointLoadStatus:
    """The result of `restore`: assertions on what was restored."""

    def __init__(self, restoration: Restoration, root: Checkpoint) -> None:
        self._restoration = restoration
        self._root = root
        self._is_settled = False

    def _without_value(self) -> list[tuple[str, Variable]]:
        """The variables of the program that have no saved value."""
        counter = self._root.__dict__.get("_save_counter")
        return [
            (path, each)
            for path, each, _ in _walk(self._root)
            if isinstance(each, Variable) and id(each) not in self._restoration.restored and each is not counter
        ]

    def _without_variable(self) -> list[str]:
        """The saved values that have no variable in the program."""
        return self._restoration.without_variable()

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Raise AssertionError if a variable of the program was not restored."""
        self._is_settled = True
        missing = self._without_value()
        if missing:
            shown = ", ".join(f"{path}: {variable!r}" for path, variable in missing[:10])
            raise AssertionError(
                f"Found {len(missing)} Python objects that were not bound to checkpointed values, likely due to changes in "
                f"the Python program. Showing {min(len(missing), 10)} of {len(missing)} unmatched objects: [{shown}]. "
                f"{self._restoration.reader.path} has: {', '.join(sorted(self._restoration.reader.entries)[:30])}"
            )
        return self

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Raise AssertionError unless the program's variables and the saved ones are the same."""
        self.assert_existing_objects_matched()
        unused = self._without_variable()
        if unused:
            shown = ", ".join("(root)." + name.replace("/", ".") for name in unused[:10])
            raise AssertionError(
                f"Unresolved object in checkpoint {shown}: {len(unused)} saved values have no variable in the "
                "program. Call expect_partial() instead if this is intended."
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Raise AssertionError if nothing at all was restored."""
        self._is_settled = True
        if not self._restoration.restored:
            raise AssertionError(
                "Nothing to load. No dependencies have been added to the Checkpoint yet: none of its variables is in "
                f"{self._restoration.reader.path}."
            )
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """Say that restoring only a part is intended, which silences the warning."""
        self._is_settled = True
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: `restore` has already restored the values."""

    def run_restore_ops(self, session: Any = None) -> None:
        """Do nothing: `restore` has already restored the values."""

    def __del__(self) -> None:
        # The last reference goes and no assertion was called: warn of what did not match, once no object waits for its values.
        if self.__dict__.get("_is_settled", True):
            return
        restoration = self._restoration
        restoration.missing = [path for path, _ in self._without_value()]
        restoration.is_settled = False
        if not restoration.without_variable():
            restoration.warn()


class NothingRestored:
    """The result of `restore(None)`, where there is no checkpoint."""

    def assert_consumed(self) -> None:
        """Raise AssertionError."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_nontrivial_match = assert_consumed

    def expect_partial(self) -> NothingRestored:
        """Accepted: there is nothing to match."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Do nothing: variables have their initial values."""

    def run_restore_ops(self, session: Any = None) -> None:
        """Raise AssertionError."""
        self.assert_consumed()


@export("train.Checkpoint")
class Checkpoint(Trackable):
    """Variables, modules, and lists and dicts of them, to be saved in a file and restored from it.

    A variable is named by the attributes, keys and positions that lead to it. The file is a safetensors file, written completely
    or not at all; nothing in it is ever executed. The attributes of `root` are saved beside the objects given by name.

    >>> import tempfile, whygrad as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> checkpoint = tf.train.Checkpoint(model={"v": v}, step=tf.Variable(0))
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = checkpoint.save(directory + "/ckpt")
    ...     _ = v.assign([0.0, 0.0])
    ...     _ = checkpoint.restore(path).assert_consumed()
    >>> v.numpy()
    array([1., 2.], dtype=float32)
    """

    _UNTRACKED = Trackable._UNTRACKED | {"_save_counter", "_root"}

    def __init__(self, root: Any = None, **kwargs: Any) -> None:
        self._root = None
        self._save_counter: Variable | None = None
        if root is not None:
            _check_trackable("root", root)
            self._root = root
        beside = dict(children(root)) if root is not None else {}
        for name, value in sorted(kwargs.items()):
            _check_trackable(name, value)
            if name in beside and beside[name] is not value:
                raise OpValueError(
                    f"Cannot create a Checkpoint with keyword argument {name} if root.{name} already exists."
                )
            setattr(self, name, value)

    def _checkpointed(self) -> Any:
        yield from children(self._root)
        names = dict(children(self._root))
        yield from [(name, value) for name, value in super()._checkpointed() if name not in names]
        if self._save_counter is not None:
            yield "save_counter", self._save_counter

    @property
    def save_counter(self) -> Variable:
        """The number of calls of `save`; the number in the next path is one more."""
        if self._save_counter is None:
            counter = Variable(np.int64(0), trainable=False, name="save_counter")
            self._save_counter = counter
        return self._save_counter

    def write(self, file_prefix: Any, options: Any = None) -> str:
        """Save under exactly this path; see `read`."""
        path: str = os.fspath(file_prefix)
        write_graph(self, path)
        return path

    def save(self, file_prefix: Any, options: Any = None) -> str:
        """Save under this path with a number added, and mark it in the directory as the latest; see `restore`."""
        directory = os.path.dirname(os.fspath(file_prefix))
        path = self._numbered(os.fspath(file_prefix))
        state = checkpoint_state.CheckpointState(path, [path])
        team.first(lambda: checkpoint_state.write(directory, state), f"writing the state of {directory}")
        return path

    def _numbered(self, prefix: str, number: int | None = None) -> str:
        """Save under the next number, or the given one; on failure the counter keeps its value."""
        before = self.save_counter.value_here._array
        self.save_counter.assign_add(1)
        try:
            return self.write(f"{prefix}-{int(self.save_counter.value_here._array) if number is None else number}")
        except BaseException:
            self.save_counter.assign(before)
            raise

    def read(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus:
        """Restore a checkpoint of `write` or `save`. If the shape or dtype of a variable differs, raise and change none.

        Variables created later are restored when they become attributes.
        """
        restoration = Restoration(save_path)
        with restoration.reader:
            restoration.bind(self, 0)
        if isinstance(self._root, Trackable):
            self._root.__dict__["_restoring"] = self.__dict__["_restoring"]
        return CheckpointLoadStatus(restoration, self)

    def restore(self, save_path: Any, options: Any = None) -> CheckpointLoadStatus | NothingRestored:
        """Like `read`, and restore the counter of `save` too. None, from `latest_checkpoint`, restores nothing."""
        if save_path is None:
            return NothingRestored()
        _ = self.save_counter  # created now, so that it is restored
        return self.read(save_path, options)

    def sync(self) -> None:
        """Do nothing: files are complete when `save` returns."""


def _check_trackable(name: str, value: Any) -> None:
    if not is_trackable(value):
        shown = value.numpy() if hasattr(value, "numpy") else value
        raise OpValueError(
            f"`Checkpoint` was expecting {name} to be a trackable object (an object derived from `Trackable`), got {shown}. "
            "(Variables, Modules, and lists and dicts of them are.)"
        )


# -- reading checkpoint files --


class CheckpointReader:
    """The saved variables of a checkpoint, by name, and the graph of objects under TensorFlow's name for it."""

    def __init__(self, path: str) -> None:
        self._reader = safetensors.Reader(path)
        self._graph: str | None = self._reader.metadata.get("graph")

    def _name(self, name: str) -> str:
        plain = name.removesuffix(_ATTRIBUTE)
        if plain not in self._reader.entries:
            raise NotFoundError(None, None, f"Key {name} not found in checkpoint {self._reader.path}")
        return plain

    def has_tensor(self, tensor_str: str) -> bool:
        """Whether a variable of this name was saved."""
        return tensor_str in self._others() or tensor_str.removesuffix(_ATTRIBUTE) in self._reader.entries

    def _others(self) -> list[str]:
        """The names of the entries that are not variables."""
        return [] if self._graph is None else [_GRAPH]

    def get_tensor(self, tensor_str: str) -> Any:
        """The value of this name, as an array."""
        if tensor_str in self._others():
            return str(self._graph).encode()
        array = self._reader.read(self._name(tensor_str))
        return array if array.ndim else array[()]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shapes of all variables."""
        saved = {name + _ATTRIBUTE: list(entry.shape) for name, entry in sorted(self._reader.entries.items())}
        return {**{name: [] for name in self._others()}, **saved}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """The dtypes of all variables."""
        saved = {name + _ATTRIBUTE: entry.dtype for name, entry in sorted(self._reader.entries.items())}
        return {**dict.fromkeys(self._others(), dtypes.string), **saved}


@export("train.load_checkpoint")
def load_checkpoint(ckpt_dir_or_file: Any) -> CheckpointReader:
    """A reader of a checkpoint, or of the latest one in a directory.

    >>> import tempfile, whygrad as tf
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(directory + "/ckpt")
    ...     tf.train.load_checkpoint(path).get_tensor("v")
    array([1., 2.], dtype=float32)
    """
    path = os.fspath(ckpt_dir_or_file)
    if os.path.isdir(path):
        latest = latest_checkpoint(path)
        if latest is None:
            raise OpValueError(f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}")
        path = latest
    return CheckpointReader(file_of(path))


@export("train.load_variable")
def load_variable(ckpt_dir_or_file: Any, name: str) -> Any:
    """The saved value of one variable, as an array.

    >>> import tempfile, whygrad as tf
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(directory + "/ckpt")
    ...     tf.train.load_variable(path, "v")
    array([1., 2.], dtype=float32)
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name)


@export("train.list_variables")
def list_variables(ckpt_dir_or_file: Any) -> list[tuple[str, list[int]]]:
    """The names and shapes of the saved variables.

    >>> import tempfile, whygrad as tf
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(directory + "/ckpt")
    ...     tf.train.list_variables(path)
    [('_CHECKPOINTABLE_OBJECT_GRAPH', []), ('v/.ATTRIBUTES/VARIABLE_VALUE', [2])]
    """
    return sorted(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


@export("train.latest_checkpoint")
def latest_checkpoint(checkpoint_dir: Any, latest_filename: str | None = None) -> str | None:
    """The path of the checkpoint last saved in a directory, or None.

    >>> import whygrad as tf
    >>> tf.train.latest_checkpoint("there/is/none") is None
    True
    """
    state = checkpoint_state.read(os.fspath(checkpoint_dir), latest_filename)
    if state is None or not os.path.isfile(state.model_checkpoint_path + SUFFIX):
        return None
    return state.model_checkpoint_path
