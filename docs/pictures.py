"""Draw README's pictures: the interleaving that lets a wrong passcode in, who can influence whom, the explorer's peers.

    python docs/pictures.py [RECORD.json]

The last picture is drawn from docs/explorer_bench.json, or from the output of
`python run.py bench explorer --json`, which is then kept there.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from sharedstate import figures, influence
from sharedstate.interleave import Scenario

DOCS = Path(__file__).resolve().parent


class PasscodeChecker:
    """The checker of unit 01."""

    def __init__(self, correct: str) -> None:
        self.correct, self.input_buffer, self.result = correct, "", False

    def check(self, candidate: str) -> bool:
        """Racy: the board is shared."""
        self.input_buffer = candidate
        self.result = self.input_buffer == self.correct
        return self.result


class OwnBoard(PasscodeChecker):
    """The same, repaired: each visit has its own word."""

    def check(self, candidate: str) -> bool:
        """Nothing is shared but what is only read."""
        return candidate == self.correct


def matrix(checker: type[PasscodeChecker]) -> influence.Influence:
    """Whose word can reach whose answer, over all interleavings."""
    calls = {name: lambda room, word: room.check(word) for name in ("alice", "mallory")}
    return influence.threads(lambda: checker("s3cret"), calls, {name: ["s3cret", "guess"] for name in calls})


def main(record: Path | None = None) -> None:
    """Write docs/interleaving.png, docs/influence.png and docs/explorer_bench.png."""
    room = Scenario(
        setup=lambda: PasscodeChecker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda checker, answers: answers["mallory"] is True,
    )
    (DOCS / "interleaving.png").write_bytes(figures.interleaving(room.explore().minimal).png())
    both = {"one board": matrix(PasscodeChecker), "own words": matrix(OwnBoard)}
    told = "One board: all reach all. Own words: only one's own"
    (DOCS / "influence.png").write_bytes(figures.influence(both, title=told).png())
    kept = DOCS / "explorer_bench.json"
    if record is not None:
        shutil.copyfile(record, kept)
    (DOCS / "explorer_bench.png").write_bytes(figures.peers(json.loads(kept.read_text(encoding="utf-8"))).png())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
