"""The second witness: untouched code on real threads that change hands between any two bytecode instructions.

It shares nothing with the explorer, so that it can catch what the explorer does not see. `search` plays schedules and
judges their outcomes, `schedule` is one of them, `crew` keeps the threads, `opcodes` sees every instruction, and
`cooperate` puts locks that give the turn away in the place of those that block, `adopt` also of earlier ones.
"""

from __future__ import annotations

from sharedstate.interleave.witness.search import LEARNING, Report, Sighting, witness

__all__ = ["LEARNING", "Report", "Sighting", "witness"]
