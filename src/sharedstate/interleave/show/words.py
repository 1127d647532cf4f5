"""The words that the text, the HTML and the SVG of a trace have in common."""

from __future__ import annotations

import html
from dataclasses import replace
from types import MappingProxyType

from sharedstate.interleave.schedule import Schedule, Step
from sharedstate.wording import count

SKIP, MOST_ROWS, HEAD, TAIL = "skip", 120, 60, 20
VERBS = MappingProxyType({
    "read": "reads",
    "write": "writes",
    "delete": "deletes",
    "acquire": "takes",
    "release": "gives back",
    "blocked": "waits for",
    "call": "calls",
    "raise": "raises",
    "start": "starts",
    "end": "ends",
    "wait": "waits on",
    "wake": "is woken by",
    "notify": "notifies",
    "set": "sets",
    "clear": "clears",
    "put": "puts into",
    "get": "gets from",
    "task_done": "counts one done in",
    "join": "joins",
    "arrive": "arrives at",
    "pass": "passes",
    "open": "opens",
    "break": "breaks",
    "submit": "hands in to",
    "take": "takes work from",
    "ask": "asks for work",
    "result": "delivers",
    "resume": "goes on after",
    "cancel": "cancels",
    SKIP: "...",
})
MARKS = (
    (">>", "switch that interrupts a thread"),
    (">", "switch after a thread has ended or must wait"),
    ("!", "one of the pair to blame: swap the two and the failure is gone"),
    ("x", "this interpreter cannot switch here today"),
)


def safe_repr(value: object, limit: int = 40) -> str:
    """Return a one-line repr of at most `limit` characters; where repr itself fails, the type's name."""
    try:
        shown = repr(value)
    except Exception:
        shown = f"<{type(value).__name__} without a repr>"
    return clip(one_line(shown), limit)


def one_line(words: str) -> str:
    """Return `words` with line breaks, tabs and other control characters made visible or dropped."""
    spaced = words.replace("\n", "\\n").replace("\t", " ")
    return "".join(c if c.isprintable() else "?" for c in spaced)


def escape(words: str) -> str:
    """Return `words` fit for HTML and XML, in a text or in an attribute."""
    return html.escape(one_line(words))


def clip(words: str, limit: int) -> str:
    """Return `words`, cut to `limit` characters with two dots at the cut."""
    return words if len(words) <= limit else words[: max(limit - 2, 1)] + ".."


def short_names(trace: Schedule) -> dict[str, str]:
    """Map each target to its last part, where that alone tells the targets of this trace apart."""
    full = {step.target for step in trace.steps}
    last = {t: (not t.startswith("waits") and t.rpartition(".")[2]) or t for t in full}
    clear = len(set(last.values())) == len(full)
    return {target: one_line(last[target] if clear else target) for target in full}


def access(step: Step, names: dict[str, str]) -> str:
    """Say what a step does, as in "reads input_buffer 's3cret'"; a call that returned None is only called."""
    verb = "" if step.target.startswith("waits") else VERBS.get(step.kind, step.kind)
    value = "" if not step.value or (step.kind, step.value) == ("call", "None") else one_line(step.value)
    parts = (verb, names.get(step.target, step.target), value)
    return " ".join(part for part in parts if part)


def switch_mark(step: Step) -> str:
    """Return ">>" for a switch that interrupts, ">" for another switch, "" for none."""
    return ">>" if step.preemption else ">" if step.switch else ""


def impossible(step: Step) -> bool:
    """Say whether control came from another thread where this interpreter never switches."""
    return step.switch and step.possible is False


def marks(step: Step) -> set[str]:
    """Return the marks of a step: a switch, blame, and a switch that cannot happen today."""
    found = {switch_mark(step), "!" if step.blame else "", "x" if impossible(step) else ""}
    return found - {""}


def legend(trace: Schedule) -> list[tuple[str, str]]:
    """Return (mark, meaning) for the marks that this trace shows."""
    used = set().union(*(marks(step) for step in trace.steps))
    return [(mark, meaning) for mark, meaning in MARKS if mark in used]


def headline(trace: Schedule) -> str:
    """Say verdict, switches and preemptions, and whether real threads did the same."""
    parts = [
        f"{trace.verdict}: {count(len(trace.steps), 'step')}, {count(trace.switches, 'switch')} "
        f"({count(trace.preemptions, 'preemption')})"
    ]
    if trace.confirmed:
        parts.append(f"confirmed on {trace.real}")
    return ", ".join(parts)


def answers(trace: Schedule) -> list[tuple[str, str]]:
    """Return (thread, what came out), "no answer yet" for a thread that has not ended."""
    found = []
    for name in trace.threads:
        if name not in trace.answers:
            found.append((name, "no answer yet"))
            continue
        value = trace.answers[name]
        said = safe_repr(value)
        found.append((name, f"raised {said}" if isinstance(value, BaseException) else said))
    return found


def outcome_text(outcome: tuple, threads: tuple[str, ...]) -> str:
    """An outcome in words: "alice True, mallory False; observed 3", or who waits for what."""
    first, observed = outcome
    if isinstance(first, str):
        waits = ", ".join(f"{name} {reason}" for name, reason in observed)
        return f"{first} ({waits})" if waits else first
    answers = zip(sorted(threads), first, strict=False)
    text = ", ".join(f"{name} {safe_repr(value)}" for name, value in answers)
    return text if observed is None else f"{text}; observed {safe_repr(observed)}"


def letters(threads: tuple[str, ...]) -> dict[str, str]:
    """Give each thread a letter, its initial where that is unique, else its number from 1."""
    initials = [name[:1].upper() for name in threads]
    unique = len(set(initials)) == len(threads) and all(i.isalnum() for i in initials)
    return {name: initials[k] if unique else str(k + 1) for k, name in enumerate(threads)}


def shortened(trace: Schedule) -> Schedule:
    """Return a long trace without its middle; one row says how many steps were left out."""
    steps = trace.steps
    if len(steps) <= MOST_ROWS:
        return trace
    last = len(steps) - TAIL
    gap = Step(steps[HEAD].thread, SKIP, f"{last - HEAD:,} more steps", None, last, "", "")
    return replace(trace, steps=(*steps[:HEAD], gap, *steps[last:]))


def number(trace: Schedule, row: int) -> int:
    """Return the step's number in the whole trace, from 1; a row for a gap counts as its last step."""
    gap = next((k for k, step in enumerate(trace.steps[: row + 1]) if step.kind == SKIP), None)
    return row + 1 if gap is None else trace.steps[gap].line + row - gap


def place(step: Step) -> str:
    """Return where a step stands in short: "[3]:7" in a notebook, "checker.py:7" in a file."""
    return one_line(step.where.replace("Cell ", "").replace(", line ", ":"))
