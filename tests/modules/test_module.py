"""Modules: the variables and submodules they hold, their order and their names."""

import abc
import collections
import copy

import numpy as np
import pytest

import whygrad as tf

Pair = collections.namedtuple("Pair", ("first", "second"))


class Leaf(tf.Module):
    def __init__(self, value=1.0, trainable=True, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(value, trainable=trainable, name="w")


class Tree(tf.Module):
    def __init__(self):
        super().__init__()
        self.z = tf.Variable(0.0, name="z")
        self.branches = [Leaf(), {"b": Leaf(), "a": tf.Variable(1.0, name="in_dict")}]
        self.pair = Pair(tf.Variable(2.0, name="first"), (Leaf(trainable=False),))
        self._hidden = tf.Variable(3.0, trainable=False, name="hidden")
        self.again = self.z


def test_a_modules_own_variables_come_first_by_the_names_of_its_attributes():
    tree = Tree()
    expected = [
        *(tree._hidden, tree.z, tree.branches[1]["a"], tree.pair.first),
        *(tree.branches[0].w, tree.branches[1]["b"].w, tree.pair.second[0].w),
    ]
    assert [id(v) for v in tree.variables] == [id(v) for v in expected]


def test_trainable_and_other_variables():
    tree = Tree()
    assert [v.name for v in tree.trainable_variables] == ["z:0", "in_dict:0", "first:0", "w:0", "w:0"]
    assert [v.name for v in tree.non_trainable_variables] == ["hidden:0", "w:0"]
    assert isinstance(tree.trainable_variables, tuple)


def test_submodules_of_submodules_and_of_circles():
    class Chain(tf.Module):
        def __init__(self, depth):
            super().__init__()
            self.child = Chain(depth - 1) if depth else None
            self.parent = None
            if self.child:
                self.child.parent = self

    chain = Chain(2)
    assert chain.submodules == (chain.child, chain.child.child)  # a module is not its own submodule
    assert chain.child.submodules == (chain.child.child, chain)


def test_each_variable_is_listed_once_however_often_it_is_held():
    module = tf.Module()
    module.a = tf.Variable(1.0)
    module.b = [module.a, {"again": module.a}]
    assert len(module.variables) == 1
    paths = [path for path, _ in module._flatten(predicate=lambda x: isinstance(x, tf.Variable), with_path=True)]
    assert paths == [("a",), ("b", 0), ("b", 1, "again")]


def test_ignored_properties_are_not_searched():
    class Careful(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = frozenset(["secret"]) | tf.Module._TF_MODULE_IGNORED_PROPERTIES

    module = Careful()
    module.secret, module.known = tf.Variable(1.0), tf.Variable(2.0)
    assert len(module.variables) == 1


def test_a_structure_that_cannot_be_sorted_is_an_error_that_names_it():
    module = tf.Module()
    module.mixed = {1: 1.0, "a": 2.0}
    with pytest.raises(ValueError, match="Error processing property 'mixed'"):
        _ = module.variables


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("Dense", "dense"),
        ("DenseNet", "dense_net"),
        ("MLP", "mlp"),
        ("MLPNet2D", "mlp_net2_d"),
        ("Conv2D", "conv2_d"),
        ("a", "a"),
    ],
)
def test_the_name_of_the_class_in_snake_case(name, snake):
    module = type(name, (tf.Module,), {})()
    assert (module.name, module.name_scope.name) == (snake, snake + "/")


def test_a_name_is_an_identifier():
    with pytest.raises(
        ValueError, match=r"'\$x' is not a valid module name\. Module names must be valid Python identifiers"
    ):
        tf.Module(name="$x")


def test_scopes_of_modules_nest():
    with tf.name_scope("outer"):
        module = tf.Module(name="inner")
    assert (module.name, module.name_scope.name) == ("inner", "outer/inner/")
    assert module.name_scope is module.name_scope


def test_methods_in_the_modules_scope():
    class Lazy(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self, x):
            """Doubles."""
            if not hasattr(self, "v"):
                self.v = tf.Variable(2.0, name="v")
            return self.v * x

    lazy = Lazy()
    assert lazy(3.0).numpy() == 6.0
    assert lazy.v.name == "lazy/v:0"
    assert tf.get_current_name_scope() == ""
    assert Lazy.__call__.__doc__ == "Doubles."


def test_a_method_that_raises_leaves_the_scope():
    class Broken(tf.Module):
        @tf.Module.with_name_scope
        def __call__(self):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        Broken()()
    assert tf.get_current_name_scope() == ""


def test_abstract_modules():
    class Abstract(tf.Module, metaclass=abc.ABCMeta):
        @abc.abstractmethod
        def __call__(self, x): ...

    with pytest.raises(TypeError, match="abstract"):
        Abstract()


def test_variables_without_the_super_constructor():
    class Forgetful(tf.Module):
        def __init__(self):
            self.x = tf.Variable(1.0)

    assert len(Forgetful().variables) == 1
    with pytest.raises(AttributeError, match="_name"):
        _ = Forgetful().name


def test_training_a_module():
    class Line(tf.Module):
        def __init__(self):
            super().__init__()
            self.slope, self.offset = tf.Variable(0.0), tf.Variable(0.0)

        def __call__(self, x):
            return self.slope * x + self.offset

    line = Line()
    x = tf.constant(np.linspace(-1, 1, 20).astype("float32"))
    for _ in range(200):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((line(x) - (3 * x + 1)) ** 2)
        for variable, gradient in zip(line.trainable_variables, tape.gradient(loss, line.trainable_variables)):
            variable.assign_sub(0.3 * gradient)
    np.testing.assert_allclose([line.slope.numpy(), line.offset.numpy()], [3.0, 1.0], atol=1e-3)


def test_a_copy_has_variables_of_its_own():
    leaf = Leaf(1.0)
    other = copy.deepcopy(leaf)
    other.w.assign(5.0)
    assert (leaf.w.numpy(), other.w.numpy()) == (1.0, 5.0)
