"""Keras on TensorFlow: explanations name its layers, losses and variables as they do for Keras on whygrad, by the same wrappers."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from whygrad.keras_backend import scopes
from whygrad.on_tensorflow.observer import Observer
from whygrad.on_tensorflow.shadows import variable_of
from whygrad.runtime.call_sites import makers_of_values
from whygrad.runtime.module_loading import AfterImport

_INPUTS = "keras.src.layers.input_spec"
_TRAINER = "keras.src.backend.tensorflow.trainer"
# The modules whose classes note their objects: that stays, because Python cannot take back a `__new__`.
_wrapped: set[str] = set()


class KerasScopes:
    """Wraps methods of Keras's classes as the program imports them."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        functions = {
            **dict.fromkeys(scopes.METHODS, _note_objects),
            _INPUTS: self._check_inputs,
            _TRAINER: self._training_as_scope,
        }
        self._imports = AfterImport({name: self._guarded(each) for name, each in functions.items()})

    def begin(self) -> None:
        """Begin with what is imported by now."""
        makers_of_values.append(scopes.maker_of)
        self._imports.begin()

    def end(self) -> None:
        """Wrap nothing more."""
        self._imports.end()
        makers_of_values.remove(scopes.maker_of)

    def _guarded(self, wrap: Callable[[Any], None]) -> Callable[[ModuleType], None]:
        """Another version of Keras may lack what is wrapped: then the report says so, and the program goes on."""

        def guarded(module: ModuleType) -> None:
            with self._observer.observing("Keras"):
                wrap(module)

        return guarded

    def _training_as_scope(self, module: Any) -> None:
        """What a model's training computes belongs to the line that calls `fit`."""
        trainer = module.TensorFlowTrainer
        step = trainer.train_step
        for name in ("fit", "train_on_batch"):
            self._observer.replace(trainer, name, scopes.training(getattr(trainer, name), step, variable_of))
        for name in ("evaluate", "predict", "test_on_batch", "predict_on_batch"):
            self._observer.replace(trainer, name, scopes.as_whole_call(getattr(trainer, name)))

    def _check_inputs(self, module: Any) -> None:
        convert_not = self._observer.found.tensorflow.autograph.experimental.do_not_convert
        check = convert_not(scopes.refusing(module.assert_input_compatibility))
        self._observer.replace(module, "assert_input_compatibility", check)


def _note_objects(module: ModuleType) -> None:
    if module.__name__ not in _wrapped:
        _wrapped.add(module.__name__)
        for owner, name, wrap in scopes.METHODS[module.__name__]:
            held = getattr(module, owner)
            setattr(held, name, wrap(getattr(held, name)))
