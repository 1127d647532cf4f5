"""What the build reports instead of raising: where, what, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One finding: `path` (relative to the checkout), `what` is wrong there, `remedy` to type or do."""

    path: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}\n    {self.remedy}"


class AuthoringError(Exception):
    """A source that cannot be turned into a notebook; its text says which line or cell and what to do."""
