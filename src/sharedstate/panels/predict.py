"""Predict before the run, see the prediction beside the measurement afterwards. Never blocks a notebook."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping

from .. import palette
from ..progress import Progress
from .alive import alive

UNCHOSEN = (
    "You have not predicted yet. Choose above, then run this cell again: a wrong guess is remembered best."
)


def predict(question_id: str, question: str, choices: Mapping[str, str], pick: str | None = None) -> None:
    """Ask a question; the choice is stored in my-labs/progress.json as soon as it is made.

    question_id: "01.board", the unit first; choices: {"a": "text", …}. A static list stands above the
    buttons, so that an exported page reads too. `pick="b"` answers without a widget. Raises ValueError for a
    pick that is no choice, or for fewer than two choices.
    """
    if len(choices) < 2:
        raise ValueError(f"Question {question_id} needs at least two choices.")
    if pick is not None and pick not in choices:
        raise ValueError(f"There is no choice {pick!r}; choose one of {', '.join(choices)}.")
    _markdown(question_text(question, choices))
    progress, problem = _progress()
    if problem:
        _markdown(problem)
    if pick is not None:
        _markdown(store(progress, question_id, pick, choices[pick]))
    elif widgets_there():
        _display(buttons(question_id, choices, progress))


def question_text(question: str, choices: Mapping[str, str]) -> str:
    """Return the question and its choices as Markdown."""
    listed = "\n".join(f"* **{key}**: {text}" for key, text in choices.items())
    return f"**Predict:** {question}\n\n{listed}"


def buttons(question_id: str, choices: Mapping[str, str], progress: Progress | None) -> object:
    """Return the widget: a button for each choice of the list above (the stored one selected), and a line below."""
    import ipywidgets

    stored = progress.prediction(question_id) if progress else None
    before = stored["choice"] if stored and stored["choice"] in choices else None
    radio = ipywidgets.RadioButtons(
        options=list(choices), value=before, orientation="horizontal", layout={"width": "max-content"}
    )
    said = ipywidgets.Label(f"Your choice so far: {before}" if before else "No choice yet.")

    def picked(change: Mapping[str, object]) -> None:
        key = change["new"]
        if key is not None:
            said.value = store(progress, question_id, str(key), choices[str(key)])

    radio.observe(picked, names="value")
    return alive(ipywidgets.VBox([radio, said]))


def store(progress: Progress | None, question_id: str, key: str, text: str) -> str:
    """Store a choice; return the line to show, also when it could not be stored."""
    if progress is None:
        return f"Your choice: {key} (not stored)"
    try:
        progress.record_prediction(question_id, key, text)
    except (OSError, RuntimeError) as problem:
        return f"Your choice: {key} (not stored: {problem})"
    return f"Your choice: {key} (stored)"


def reveal(question_id: str, truth: str, because: Mapping[str, str], measured: str) -> None:
    """Show the stored choice beside what was measured, and why each wrong choice is wrong.

    truth: the right choice; because: {"a": "why a is wrong", …}, it may hold the right one too; measured: one
    line. Works without a stored choice, and before `predict` was run.
    """
    progress, problem = _progress()
    stored = progress.prediction(question_id) if progress else None
    _markdown(reveal_text(stored, truth, because, measured) + (f"\n\n{problem}" if problem else ""))


def reveal_text(
    stored: Mapping[str, object] | None, truth: str, because: Mapping[str, str], measured: str
) -> str:
    """Return what `reveal` shows, as Markdown; without a choice the answer is folded."""
    reasons = [f"* {_mark(key, truth)} **{key}**: {text}" for key, text in because.items()]
    answer = "\n\n".join([f"**Measured:** {measured}", f"**Right: {truth}**", "\n".join(reasons)])
    if not stored:
        folded = f"<details><summary>Show the answer without a prediction</summary>\n\n{answer}\n\n</details>"
        return f"{UNCHOSEN}\n\n{folded}"
    choice = str(stored["choice"])
    return f"You predicted **{choice}**{_text_of(stored)}: {'right.' if choice == truth else 'not so.'}\n\n{answer}"


def _text_of(stored: Mapping[str, object]) -> str:
    return f" ({stored['text']})" if stored.get("text") else ""


def _mark(key: str, truth: str) -> str:
    return palette.RIGHT if key == truth else palette.WRONG


def _progress() -> tuple[Progress | None, str]:
    """Return the record and a notice; no record (and the reason) where it cannot be read."""
    try:
        progress = Progress.load()
    except (OSError, RuntimeError) as problem:
        return None, f"*Your predictions cannot be stored here: {problem}*"
    return progress, progress.notice


def widgets_there() -> bool:
    """True in a notebook that can show widgets."""
    return _shell() is not None and importlib.util.find_spec("ipywidgets") is not None


def _shell() -> object | None:
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _markdown(text: str) -> None:
    if _shell() is None:
        print(text)
        return
    from IPython.display import Markdown

    _display(Markdown(text))


def _display(view: object) -> None:
    from IPython.display import display

    display(view)
