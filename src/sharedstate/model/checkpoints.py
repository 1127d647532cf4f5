"""Two trained models of the same text, equal in all but their mask: "masked" (causal) and "unmasked" (full).

make_checkpoints.py makes the files in data/ from the recipe below: numpy archives without pickles,
weights in float16, and beside them the curves of the training run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType

import numpy as np
import torch
from torch import Tensor, nn

from sharedstate.model.corpus import Characters, night_market, split
from sharedstate.model.gpt import GPT, GPTConfig
from sharedstate.model.masks import causal_mask, full_mask
from sharedstate.model.training import (
    History,
    evaluate,
    last_position_loss,
    next_token_loss,
    text_batches,
    train,
)

DATA = Path(__file__).parent / "data"
MASKS = MappingProxyType({"masked": causal_mask, "unmasked": full_mask})


@dataclass(frozen=True)
class Recipe:
    """Everything that a training run depends on. The rate falls in a straight line from lr to 0."""

    sentences: int = 600
    text_seed: int = 0
    model_seed: int = 1
    batch_seed: int = 2
    check_seed: int = 3
    length: int = 64
    batch: int = 32
    steps: int = 400
    lr: float = 5e-3
    d_model: int = 64
    num_layers: int = 2
    num_heads: int = 4

    def text(self) -> tuple[Tensor, Tensor]:
        """Return the tokens to train on and those to validate with."""
        return split(Characters().encode(night_market(self.sentences, self.text_seed)))

    def batches(self) -> Iterator[Tensor]:
        """Yield the training batches, [batch, length + 1]."""
        return text_batches(self.text()[0], self.length, self.batch, self.batch_seed)

    def validation(self, count: int = 4) -> list[Tensor]:
        """Return `count` batches of the text that is not trained on."""
        return list(islice(text_batches(self.text()[1], self.length, self.batch, self.check_seed), count))

    def rate(self, step: int) -> float:
        """Return the learning rate of a step."""
        return self.lr * (1 - step / self.steps)

    def untrained(self, name: str) -> GPT:
        """Return the model as it is before the first step. Raises ValueError for an unknown name."""
        if name not in MASKS:
            raise ValueError(f"No checkpoint {name!r}: use one of {', '.join(MASKS)}.")
        shape = GPTConfig(
            vocab_size=len(Characters()),
            num_layers=self.num_layers,
            d_model=self.d_model,
            num_heads=self.num_heads,
            max_len=self.length,
        )
        return GPT(shape, seed=self.model_seed, mask=MASKS[name])

    def watch(self) -> dict[str, Callable[[nn.Module], float]]:
        """Return what to look at during training: the validation loss, and the honest last-position loss."""
        kept = self.validation()
        return {
            "validation": lambda model: evaluate(model, next_token_loss, kept),
            "last position": lambda model: evaluate(model, last_position_loss, kept),
        }


def make(name: str, recipe: Recipe | None = None, steps: int | None = None) -> tuple[GPT, History]:
    """Train a checkpoint from its seeds (about 15 s), or its first `steps` steps only."""
    recipe = recipe or Recipe()
    model = recipe.untrained(name)
    steps = recipe.steps if steps is None else steps
    history = train(model, recipe.batches(), steps, lr=recipe.rate, watch=recipe.watch(), every=20)
    return model, history


def save(path: Path, model: GPT, history: History, recipe: Recipe) -> None:
    """Write weights (float16), history and recipe to one archive; the same input gives the same bytes."""
    notes = {
        "recipe": asdict(recipe),
        "losses": [round(loss, 6) for loss in history.losses],
        "watched": {name: [[s, round(v, 6)] for s, v in rows] for name, rows in history.watched.items()},
    }
    weights = {name: tensor.detach().half().numpy() for name, tensor in model.state_dict().items()}
    np.savez_compressed(path, notes=np.array(json.dumps(notes)), **weights)


def load(name: str, path: Path | None = None) -> GPT:
    """Return a trained model, "masked" or "unmasked", in float32.

    Raises ValueError for an unknown name, FileNotFoundError with the remedy when its file is missing.
    """
    notes, weights = _read(name, path)
    model = Recipe(**notes["recipe"]).untrained(name)
    model.load_state_dict({key: torch.from_numpy(array).float() for key, array in weights.items()})
    return model.eval()


def history(name: str, path: Path | None = None) -> History:
    """Return the recorded training run of a checkpoint: losses, "validation" and "last position"."""
    notes, _ = _read(name, path)
    watched = {key: tuple((s, v) for s, v in rows) for key, rows in notes["watched"].items()}
    return History(tuple(notes["losses"]), watched)


def _read(name: str, path: Path | None) -> tuple[dict, dict[str, np.ndarray]]:
    if name not in MASKS:
        raise ValueError(f"No checkpoint {name!r}: use one of {', '.join(MASKS)}.")
    path = path or DATA / f"{name}.npz"
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing: make it with python -m sharedstate.model.make_checkpoints.")
    with np.load(path, allow_pickle=False) as archive:
        weights = {key: archive[key] for key in archive.files if key != "notes"}
        return json.loads(str(archive["notes"])), weights
