"""Tokens: one schedule as a short text that can be mailed and played again."""

from __future__ import annotations

import re
from itertools import groupby

from sharedstate.interleave.execution import STEP_LIMIT, ScenarioError

DIGITS = len(str(STEP_LIMIT))
PATTERN = re.compile(r"race-([0-9a-f]{8})-((?:[a-z]\d*)*)")


class TokenRefused(ScenarioError):
    """A token that does not belong to this program; the message says why."""


def write(fingerprint: str, schedule: bytes | list[int]) -> str:
    """The token: a hash of the source, then per thread a letter and how many steps."""
    runs = [(thread, len(list(group))) for thread, group in groupby(schedule)]
    return f"race-{fingerprint}-" + "".join(f"{chr(97 + thread)}{count if count > 1 else ''}" for thread, count in runs)


def read(token: str, threads: int) -> tuple[str, list[int]]:
    """The hash and the schedule of a token. Raises TokenRefused if it is not one, or names other threads."""
    match = PATTERN.fullmatch(token.strip()) if isinstance(token, str) else None
    if match is None:
        raise TokenRefused(f"{token!r} is not a token; one looks like race-1a2b3c4d-b1a5b4")
    runs = re.findall(r"([a-z])(\d*)", match.group(2))
    if any(len(count) > DIGITS for _, count in runs) or sum(int(count or 1) for _, count in runs) > STEP_LIMIT:
        raise TokenRefused(f"this token is for more than {STEP_LIMIT:,} steps, and no schedule here is so long")
    schedule: list[int] = []
    for letter, count in runs:
        schedule += [ord(letter) - 97] * int(count or 1)
    if any(index >= threads for index in schedule):
        raise TokenRefused(f"this token is for more than the {threads} threads of this scenario")
    return match.group(1), schedule
