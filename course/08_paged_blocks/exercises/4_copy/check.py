"""Exercise 08.4: append to a table whose last block may be shared."""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType
from typing import Any

from sharedstate.checks.shown import shown_class
from sharedstate.checks.types import Case, Exercise, Verdict, is_record

Pool: Any = shown_class(__file__, "Pool")
SEEN = frozenset({"reads", "ref_cnt", "named", "raised", "null"})
OLD = -7  # what lies in every block that is taken
WORDS = MappingProxyType({"new": "a new table", "fork": "a fork", "append": "append"})


class CopyOnWrite(Exercise):
    """The answer is append(pool, table, number)."""

    id = "08.4"
    title = "Copy on write"
    answer = "append"
    minutes = 12
    difficulty = 2
    points = 3.0
    expects = "a function"
    judge_source = True
    imports = ("contextlib", "dataclasses")

    def cases(self, seed: int) -> list[Case]:
        """Stories: `a` begins, `a>b` forks, `a10` appends; block sizes 1 to 4."""
        draw = self.draw(seed)
        return [
            _case("a fork in mid-block", 2, "a a10 a>b b20", visible=True),
            _case("one table alone", 3, "a a10 a11 a12 a13"),
            _case("both go on", 2, "a a10 a>b b20 a30 b21 a31"),
            _case("a fork at the end of a block", 2, "a a10 a11 a>b b20 a30"),
            _case("three beams", 4, "a a10 a11 a>b a>c c30 b20 a12 c31"),
            _case("blocks of one", 1, "a a10 a>b b20 a30"),
            _case("a block was another's before", 2, "a a10 a>b b20 b21 a11 b>c c40 b22"),
            _case("no block for the copy", 2, "a a10 a>b b20", blocks=2),
            _case("no block for one more", 2, "a a10 a11 a12", blocks=2),
            _case("one's own last block, behind a shared one", 4, "a a10 a11 a12 a13 a14 a>b b20 b21", blocks=4),
            _case("a zero is a number", 2, "a a0 a0 a0 a>b b0 a0"),
            _case("a long life", draw.randrange(2, 5), _life(draw), blocks=60),
        ]

    def run(self, answer: Any, case: Case) -> object:
        """Play the story; after each append return what every table reads, and the books."""
        pool, seen = Pool(case["blocks"], case["size"]), []
        for block in pool.free:
            pool.data[block][:] = [OLD] * case["size"]
        tables: dict[str, dict[str, Any]] = {}
        for what, name, more in _steps(case["story"]):
            raised = ""
            if what == "new":
                tables[name] = {"blocks": [], "length": 0}
            elif what == "fork":
                parent = tables[name]
                tables[more] = {"blocks": list(parent["blocks"]), "length": parent["length"]}
                for block in parent["blocks"]:
                    pool.ref_cnt[block] += 1
            else:
                try:
                    answer(pool, tables[name], more)
                except MemoryError as problem:
                    raised = str(problem)
            named = Counter(block for table in tables.values() for block in table["blocks"])
            seen.append({"reads": {n: _read(pool, t) for n, t in tables.items()}, "ref_cnt": list(pool.ref_cnt),
                         "named": [named[block] for block in range(len(pool.ref_cnt))], "raised": raised != "",
                         "null": any(pool.data[0])})
        return seen

    def judge(self, case: Case, value: object) -> Verdict:
        """Follow the story with plain lists."""
        steps = _steps(case["story"])
        if type(value) is not list or len(value) != len(steps):
            return self.unseen("this story")
        texts = _Texts(case["blocks"] - 1, case["size"])
        if not all(is_record(seen, SEEN) and type(seen["reads"]) is dict for seen in value):
            return self.unseen("this story")
        if not any(any(seen["reads"].values()) or seen["raised"] for seen in value):
            return self.wrong("untouched", "append() changes nothing yet.")
        for (what, name, more), seen in zip(steps, value, strict=True):
            said = texts.complaint(what, name, more, seen)
            if said:
                return self.wrong(said[0], f"Case '{case.label}', blocks of {case['size']}, {texts.told}: {said[1]}")
        return self.right("Nobody reads another's numbers, and nothing is copied in vain.")


class _Texts:
    """What every table must read, and how many blocks that needs."""

    def __init__(self, free: int, size: int) -> None:
        self.free, self.size, self.told = free, size, "nothing"
        self.reads: dict[str, list[int]] = {}
        self.blocks: dict[str, list[object]] = {}

    def complaint(self, what: str, name: str, more: Any, seen: dict) -> tuple[str, str] | None:
        """Take a step and what was seen; return (reason, words) or None."""
        before, fits = {n: list(r) for n, r in self.reads.items()}, True
        if what == "append":
            self.told = f"append(pool, {name}, {more})"
            fits = self._append(name, more)
        elif what == "new":
            self.reads[name], self.blocks[name] = [], []
        else:
            self.told = f"after the fork of {name}"
            self.reads[more], self.blocks[more] = list(self.reads[name]), list(self.blocks[name])
        if not fits and (not seen["raised"] or seen["reads"] != before or seen["ref_cnt"] != seen["named"]):
            return "changed-by-a-failure", "no block was free. take() raises, and nothing may have changed by then."
        if fits and seen["raised"]:
            return "copies-too-much", "take() was called, and no block was needed."
        if seen["null"]:
            return "writes-to-null", "a number was written into block 0, which is nobody's."
        if seen["reads"] != self.reads:
            return self._misread(name, seen["reads"], before)
        if seen["ref_cnt"] != seen["named"]:
            return "miscounts", f"ref_cnt is {seen['ref_cnt']}, and tables name the blocks {seen['named']} times."
        used = len({id(block) for blocks in self.blocks.values() for block in blocks})
        if sum(count > 0 for count in seen["ref_cnt"]) > used:
            return "copies-too-much", f"{used} blocks are enough: what is full, or one's own, is not copied."
        return None

    def _append(self, name: str, number: int) -> bool:
        """Do it with blocks that are plain objects; False when one more does not fit."""
        blocks, inside = self.blocks[name], len(self.reads[name]) % self.size
        every = [block for each in self.blocks.values() for block in each]
        shared = inside and sum(block is blocks[-1] for block in every) > 1
        if inside == 0 or shared:
            if len({id(block) for block in every}) >= self.free:
                return False
            if shared:
                blocks.pop()
            blocks.append(object())
        self.reads[name] = [*self.reads[name], number]
        return True

    def _misread(self, name: str, reads: dict, before: dict[str, list[int]]) -> tuple[str, str]:
        other = next((n for n, text in self.reads.items() if n != name and reads.get(n) != text), None)
        if other is not None:
            return "overwrites-another", f"{other} reads {reads.get(other)} now, and should read {self.reads[other]}."
        got = reads.get(name)
        reason = "loses-its-past" if type(got) is list and got[:-1] != before.get(name) else "lost-number"
        return reason, f"{name} reads {got}, and should read {self.reads[name]}."


def _read(pool: Any, table: dict) -> list[object]:
    """What a table reads; None where it names no block."""
    size, found = pool.block_size, []
    for place in range(table["length"]):
        index = place // size
        block = table["blocks"][index] if index < len(table["blocks"]) else None
        found.append(None if block is None else pool.data[block][place % size])
    return found


def _steps(story: str) -> list[tuple[str, str, Any]]:
    """The story as (what, name, more)."""
    found: list[tuple[str, str, Any]] = []
    for word in story.split():
        if ">" in word:
            found.append(("fork", word.split(">")[0], word.split(">")[1]))
        else:
            found.append(("append", word[0], int(word[1:])) if word[1:] else ("new", word, None))
    return found


def _case(label: str, size: int, story: str, blocks: int = 12, visible: bool = False) -> Case:
    return Case(label, {"size": size, "story": story, "blocks": blocks}, visible)


def _life(draw: Any) -> str:
    """Return a story of four tables that fork from each other and go on."""
    words, names = ["a"], "a"
    for number in range(30):
        if number % 8 == 5 and len(names) < 4:
            words.append(f"{draw.choice(names)}>{'abcd'[len(names)]}")
            names = "abcd"[: len(names) + 1]
        words.append(f"{draw.choice(names)}{number + 10}")
    return " ".join(words)


EXERCISE = CopyOnWrite()
