"""Failures on demand: something breaks once, at a place of your choice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


class Interrupted(RuntimeError):
    """The failure that `interrupt_once` plants."""


@contextmanager
def interrupt_once(module: nn.Module) -> Iterator[None]:
    """Inside the block, the first call of this part of a model raises Interrupted; later calls work."""

    def fail(*_: object) -> None:
        hook.remove()
        raise Interrupted("The computation was interrupted here.")

    hook = module.register_forward_pre_hook(fail)
    try:
        yield
    finally:
        hook.remove()
