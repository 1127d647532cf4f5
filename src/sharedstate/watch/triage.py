"""Four questions that sort a symptom, and a deck of cards to practise on: some are not of this family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

QUESTIONS = (
    "Only with company: threads, tasks, or a batch?",
    "Does it depend on what the others contain?",
    "More often under load?",
    "Gone without the cache, or when nothing is shared?",
)
ENOUGH = 3  # so many yeses of four, and shared state is the first suspect


@dataclass(frozen=True)
class Card:
    """A symptom, what the four questions give, whether shared state is behind it, and what to do next."""

    name: str
    symptom: str
    answers: tuple[bool, bool, bool, bool]
    family: bool
    cause: str
    look: str


def _card(name: str, answers: str, family: bool, symptom: str, cause: str, look: str) -> Card:
    yes = [letter == "y" for letter in answers]
    return Card(name, symptom, (yes[0], yes[1], yes[2], yes[3]), family, cause, look)


DECK: tuple[Card, ...] = (
    _card("stranger in", "yyyy", True, "Twice a day a wrong passcode is accepted. Nobody can repeat it at a desk.",
          "one board for all visitors (unit 01)", "Force one schedule; ask who wrote the board last."),
    _card("two of a number", "ynyy", True, "Two invoices carry one number, always printed within the same second.",
          "a counter that is read, then written (unit 03)", "Try all orders of two draws."),
    _card("last one's name", "yyyy", True, "After a busy hour a guest is greeted with another user's name.",
          "a thread of the pool kept the last request's user (unit 02)", "One request after another in one thread."),
    _card("off by one reply", "yyyy", True, "Each reply belongs to the question before, since a client broke off.",
          "a connection went back with an unread reply (unit 02)", "Cancel at each await."),
    _card("second prompt", "nyny", True, "The first prompt after a restart is right, the next in that slot is not.",
          "an old tenant's keys are still read (unit 07)", "Alone against after: the same prompt in a fresh slot."),
    _card("short ones suffer", "yyyy", True, "In a batch every prompt but the longest gets an odd answer.",
          "padding is looked at (unit 07)", "The same prompt alone: compare logits, not tokens."),
    _card("wrong picture", "yyyy", True, "The second question about a picture is answered about the first picture.",
          "the prefix key does not hold the picture (unit 08)", "Hunt the key: change one field at a time."),
    _card("same seed, other text", "yyyy", True, "A fixed seed gives one text at night and another one by day.",
          "all requests draw from one generator (unit 09)", "Alone against with a neighbour, token by token."),
    _card("last digit", "yyyy", False, "Logits move by 0.000001 with the batch size; once in a week a word changes.",
          "rounding: other shapes add in another order", "Measure it: in float64 it falls to 1e-15. A leak stays."),
    _card("shipping", "nnnn", False, "Orders of exactly 100 pay for shipping, though 100 is free.",
          "a logic error: > instead of >=", "One call with one input. Nobody else is needed."),
    _card("write failed", "nnyn", False, "Since noon uploads fail with 'no space left'. A restart does not help.",
          "a full disk", "Look at the disk."),
    _card("slow mornings", "nnyn", False, "Answers are right, and at nine o'clock they take ten times as long.",
          "too little capacity: a queue", "Measure the queue. A wrong answer and a late one are two things."),
    _card("one customer", "nnnn", False, "One customer's name is always shown without its last letter.",
          "a column that is too short", "Ask for this name alone, on an idle machine."),
    _card("since the update", "nnnn", False, "Since the update every answer is worse, for everybody, always.",
          "wrong weights were loaded", "Compare with the old version, one request, no cache."),
)  # fmt: skip


def suspected(answers: Sequence[bool]) -> bool:
    """Say whether so many questions have a yes that shared state is the first suspect."""
    return sum(answers) >= ENOUGH or bool(answers[1] and answers[3])


def judge(card: Card, answers: Sequence[bool], family: bool) -> str:
    """Return what is to be said to somebody's four answers and verdict: what differs, the cause, and where to look."""
    other = [QUESTIONS[at] for at, (one, two) in enumerate(zip(answers, card.answers, strict=True)) if one != two]
    said = "All four answers are as in the deck. " if not other else f"I would answer otherwise: {' '.join(other)} "
    verdict = "Shared state it is" if card.family else "Shared state it is not"
    right = "You said so." if family == card.family else "You said the opposite."
    return f"{said}{verdict}: {card.cause}. {right} Next: {card.look}"
