"""Exercise 07.3: owner tags, the writer and the epoch of each place, and who may read it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from sharedstate.checks.types import AnswerProblem, Case, Exercise, Verdict

OK, FOREIGN, STALE, EMPTY = "ok", "foreign", "stale", "empty"
WORDS = (OK, FOREIGN, STALE, EMPTY)
FAR = (8, 10, 16, 32, 64, 100, 128, 256, 512, 1000, 1024, 4096, 10_000, 65_536, 100_000, 1_000_000)
ELSEWHERE = "something happens elsewhere"
AGED = "an old place is shared"
METHODS = ("take", "wrote", "share", "look")
MEANS = MappingProxyType({
    OK: "the reader wrote it in this epoch, or it was shared with the reader",
    FOREIGN: "it was written in this epoch, by somebody who has not shared it with the reader",
    STALE: "it was written before the slot was taken the last time",
    EMPTY: "nobody has ever written there",
})
REASONS = MappingProxyType({
    (STALE, OK): "misses-stale", (FOREIGN, OK): "misses-foreign", (EMPTY, OK): "misses-empty",
    (OK, FOREIGN): "accuses-the-innocent", (OK, STALE): "accuses-the-innocent", (OK, EMPTY): "accuses-the-innocent",
    (STALE, EMPTY): "forgets-who-wrote", (STALE, FOREIGN): "misses-stale",
})
SPECIAL = MappingProxyType({
    ELSEWHERE: "forgets-sharing",
    "the same guest comes back": "trusts-the-name", "written anew": "sharing-outlives-the-write",
    "two notebooks": "shared-notebooks", "shared by two": "forgets-sharing",
    "shared by six": "forgets-sharing",
    AGED: "sharing-makes-new", "the places of three slots": "two-places-one-key",
})


class OwnerTags(Exercise):
    """The answer is the class Tags: take, wrote, share, look."""

    id = "07.3"
    title = "Owner tags"
    answer = "Tags"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a class"

    def cases(self, seed: int) -> list[Case]:
        """Own and foreign reads first; then recycled slots, the same name again, sharing, and a random life."""
        draw = self.draw(seed)
        return [
            _case("own and foreign", "take 0 ann|wrote 0 0|take 1 ben|wrote 1 0", visible=True),
            _case("a place further on", "take 0 ann|wrote 0 0|wrote 0 2|take 1 ben|wrote 1 1"),
            _case("recycled", "take 0 ann|wrote 0 0|wrote 0 1|wrote 0 2|take 1 cy|wrote 1 0|take 0 ben|wrote 0 0"),
            _case("the same guest comes back", "take 0 ann|wrote 0 0|wrote 0 1|take 0 ann|wrote 0 0"),
            _case("shared by two", "take 0 ann|wrote 0 0|wrote 0 1|take 1 ben|share 0 0 ben|wrote 1 0|share 0 0 cy"),
            _case("shared by six",
                  "take 0 ann|wrote 0 0|" + "|".join(f"share 0 0 {name}" for name in "abcdef") + "|take 0 a|wrote 0 1"),
            _case("written anew", "take 0 ann|wrote 0 0|take 1 ben|share 0 0 ben|wrote 0 0"),
            _case("shared, then recycled", "take 0 ann|wrote 0 0|take 1 ben|share 0 0 ben|take 0 cy|wrote 0 1"),
            _case("far places",
                  "take 0 ann|take 1 ben|take 11 cy|wrote 0 12|wrote 1 2|wrote 0 103|wrote 1 12|wrote 11 2"),
            _case("names alike", "take 0 anna|wrote 0 0|take 1 ann|wrote 1 0|take 2 an|share 0 0 a|share 1 0 nn"),
            _case("two notebooks", "take 0 ann|1 take 0 ben|wrote 0 0|1 wrote 0 1|1 take 1 ann|take 1 ben|1 wrote 1 0"),
            _case(AGED, "take 0 ann|wrote 0 0|take 1 cy|take 0 ben|share 0 0 cy|wrote 0 1"),
            _case("taken again and again", _many_guests()),
            _case("the places of three slots", "take 0 ann|take 1 ben|take 2 cy|wrote 1 0|wrote 2 1", asked=FAR),
            _case(ELSEWHERE,
                  "take 0 ann|wrote 0 0|take 1 ben|share 0 0 ben|wrote 1 0|share 1 0 ann|take 2 cy|take 1 dora"),
            _case(ELSEWHERE,
                  "take 0 ann|wrote 0 0|wrote 0 1|share 0 0 ben|share 0 1 cy|wrote 0 2|wrote 0 1|share 0 2 ben"),
            _case(ELSEWHERE,
                  "take 0 ann|take 1 ben|wrote 0 0|wrote 1 0|share 0 0 cy|share 1 0 cy|wrote 1 0|take 1 ann"),
            _case("shared again", "take 0 ann|wrote 0 0|share 0 0 ben|wrote 0 0|share 0 0 cy|share 0 0 ben|take 1 ben"),
            _case("shared, recycled, written, shared",
                  "take 0 ann|wrote 0 0|share 0 0 ben|take 0 cy|wrote 0 0|share 0 0 ann|take 0 ann|"
                  "wrote 0 0|wrote 0 1"),
            _case("shared with oneself", "take 0 ann|wrote 0 0|share 0 0 ann|take 1 ann|wrote 1 0|wrote 0 0"),
            _case("one owner of two slots",
                  "take 0 ann|take 1 ann|wrote 0 0|wrote 1 1|share 0 0 ben|take 0 ben|wrote 0 1"),
            _case("a long life that all live", _life(random.Random("07.3:a")), asked=()),
            _case("another long life that all live", _life(random.Random("07.3:b")), asked=()),
            _case("a long life", _life(draw)),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Play the events on two objects; after each, ask about every reader and place."""
        if not any(hasattr(answer, name) for name in METHODS):
            raise AnswerProblem("untouched", "Tags has no method yet.")
        books, found = [answer(), answer()], []
        for what, which, *given in _events(case):
            may_refuse = (Exception,) if what == "share" and case.label == AGED else ()
            with contextlib.suppress(*may_refuse):  # sharing an old place may be refused; it must not make it new
                said = getattr(books[which], what)(*given)
            if what == "look":
                found.append(_plain(said))
        return found

    def judge(self, case: Case, value: object) -> Verdict:
        """Follow the events with a plain record, and compare word by word."""
        events = list(_events(case))
        if type(value) is not list or len(value) != sum(event[0] == "look" for event in events):
            return self.unseen("these tags")
        words, record, story = iter(value), _Record(), "nothing"
        for event in events:
            if event[0] != "look":
                record.take_in(event)
                story = f"{event[0]}{tuple(event[2:])!r}"
                continue
            word, truth = next(words), record.word(event)
            if type(word) is not str or word not in WORDS:
                return self.wrong("no-such-word", f"look returned {word!r}; one of {WORDS} is expected.")
            if word != truth:
                message = (f"Case '{case.label}', after {story}: look{tuple(event[2:])!r} says {word!r}, and it is "
                           f"{truth!r}: {MEANS[truth]}.")
                usual = REASONS.get((truth, word), "wrong-word")
                return self.wrong(SPECIAL.get(case.label, usual), message)
        return self.right("Every read is known by who wrote, and in which epoch.")


def _plain(said: object) -> object:
    """Return plain data; a word may be a member of an enumeration of texts."""
    said = str.__str__(said) if isinstance(said, str) else said
    return said if type(said) in (str, bool, int) or said is None else f"a {type(said).__name__}"


class _Record:
    """The truth: for each of two books, the slots' tenants and epochs, and the tag of each place."""

    def __init__(self) -> None:
        self.slots: dict[tuple[int, int], tuple[int, str]] = {}
        self.tags: dict[tuple[int, int, int], tuple[int, set[str]]] = {}

    def take_in(self, event: list) -> None:
        """Note an event."""
        what, book, slot, *rest = event
        if what == "take":
            epoch, _ = self.slots.get((book, slot), (0, ""))
            self.slots[book, slot] = (epoch + 1, rest[0])
        elif what == "wrote":
            epoch, tenant = self.slots[book, slot]
            self.tags[book, slot, rest[0]] = (epoch, {tenant})
        else:
            self.tags[book, slot, rest[0]][1].add(rest[1])

    def word(self, event: list) -> str:
        """Return the right answer to a look."""
        _, book, reader, slot, place = event
        epoch, readers = self.tags.get((book, slot, place), (0, set()))
        if not epoch:
            return EMPTY
        if epoch != self.slots[book, slot][0]:
            return STALE
        return OK if reader in readers else FOREIGN


def _events(case: Case) -> Iterator[list]:
    """Yield [what, book, ...]; after each event, looks of everybody at every place of the slots taken so far."""
    readers = sorted({words[-1] for words in case["events"] if words[0] in ("take", "share")} | {"guest"})
    places = sorted({words[3] for words in case["events"] if words[0] == "wrote"} | {*range(4), *case["asked"]})
    for what, book, *rest in case["events"]:
        yield [what, book, *rest]
        for each in sorted({b for _, b, *_ in case["events"]}):
            taken = sorted({w[2] for w in case["events"] if w[0] == "take" and w[1] == each})
            for reader in readers:
                yield from (["look", each, reader, slot, place] for slot in taken for place in places)


def _case(label: str, story: str, visible: bool = False, asked: tuple[int, ...] = ()) -> Case:
    """Return a case; a line of the story that begins with 1 is meant for the second book.

    asked: places to look at beside the first ones and those that were written.
    """
    events = []
    for line in story.split("|"):
        words = line.split()
        book = int(words[0] == "1")
        what, slot, *rest = words[book:]
        events.append([what, book, int(slot), *[int(w) if w.isdigit() else w for w in rest]])
    return Case(label, {"events": events, "asked": list(asked)}, visible)


def _many_guests() -> str:
    """Return a slot that is taken many times: an old place never becomes new because a count goes round or stops."""
    guests = [f"take 0 {name}" for name in ("ben", "cy", "ann") * 22]
    return "|".join(["take 0 ann", "wrote 0 0", *guests[:1], "wrote 0 1", *guests[1:], "wrote 0 2", *guests[:9]])


def _life(draw: random.Random) -> str:
    """Return a random story of two slots and three guests; what is shared has just been written."""
    lines = ["take 0 ann", "take 1 ben"]
    for _ in range(14):
        slot, place = draw.randrange(2), draw.randrange(3)
        kind = draw.choice(("take", "write", "write", "share"))
        if kind == "take":
            lines.append(f"take {slot} {draw.choice(('ann', 'ben', 'cy'))}")
        else:
            lines.append(f"wrote {slot} {place}")
        if kind == "share":
            lines.append(f"share {slot} {place} {draw.choice(('ann', 'ben', 'cy'))}")
    return "|".join(lines)


EXERCISE = OwnerTags()
