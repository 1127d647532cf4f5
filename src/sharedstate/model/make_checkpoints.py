"""Make the two trained models of the course again: python -m sharedstate.model.make_checkpoints [folder].

Reproducible from the seeds in sharedstate.model.checkpoints.Recipe (bit for bit on one machine).
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch

from sharedstate.model.checkpoints import DATA, MASKS, Recipe, make, save


def main(folder: Path) -> None:
    """Train each model, write it to folder, say what came out."""
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    for name in MASKS:
        model, history = make(name)
        path = folder / f"{name}.npz"
        save(path, model, history, Recipe())
        watched = {what: round(rows[-1][1], 3) for what, rows in history.watched.items()}
        print(f"{name}: training {history.losses[-1]:.3f}, {watched}, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
