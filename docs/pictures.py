"""Draw README's pictures: the interleaving that lets a wrong passcode in, and the explorer beside its peers.

    python docs/pictures.py [RECORD.json]

The second picture is drawn from docs/explorer_bench.json, or from the output of
`python run.py bench explorer --json`, which is then kept there.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from sharedstate import figures
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


def main(record: Path | None = None) -> None:
    """Write docs/interleaving.png and docs/explorer_bench.png."""
    room = Scenario(
        setup=lambda: PasscodeChecker("s3cret"),
        threads={"alice": lambda c: c.check("s3cret"), "mallory": lambda c: c.check("guess")},
        never=lambda checker, answers: answers["mallory"] is True,
    )
    (DOCS / "interleaving.png").write_bytes(figures.interleaving(room.explore().minimal).png())
    kept = DOCS / "explorer_bench.json"
    if record is not None:
        shutil.copyfile(record, kept)
    (DOCS / "explorer_bench.png").write_bytes(figures.peers(json.loads(kept.read_text(encoding="utf-8"))).png())


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
