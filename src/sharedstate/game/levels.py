"""The levels of the scheduler game, in the order in which to play them."""

from __future__ import annotations

from types import MappingProxyType

from sharedstate.game import programs
from sharedstate.game.rules import Level
from sharedstate.interleave.execution import ScenarioError

VISITORS = MappingProxyType(
    {"alice": lambda room: room.check("s3cret"), "mallory": lambda room: room.check("guess")}
)
LET_IN = "mallory's wrong passcode is accepted"

LEVELS = (
    Level(
        "coffee", "Who drinks what?",
        "A café has one order slip. Anna writes tea and Ben writes coffee; each walks to the counter and gets what "
        "the slip says. You decide who moves.",
        "Anna ordered tea, and she gets coffee", programs.Cafe,
        MappingProxyType({"anna": lambda cafe: cafe.order("tea"), "ben": lambda cafe: cafe.order("coffee")}),
        ("Each guest has two steps: write on the slip, read the slip.",
         "Anna reads whatever is on the slip when she gets to the counter.",
         "Anna writes. Ben writes. Then Anna reads."),
        lambda cafe, answers: answers["anna"] == "coffee",
    ),
    Level(
        "wrong-in", "Let the wrong passcode in",
        "Alice knows the passcode, Mallory guesses. Both type at the same board. You decide who moves when.",
        LET_IN, programs.Checker, VISITORS,
        ("Mallory's answer need not come from what Mallory typed.",
         "Four steps each: write the candidate, read it, write the answer, read the answer. Look between.",
         "Mallory writes first. Then Alice does all she has to do. Then Mallory goes on."),
        lambda room, answers: answers["mallory"] is True,
    ),
    Level(
        "right-out", "Refuse the right one",
        "The same board. This time the honest visitor is to be turned away.",
        "alice's right passcode is refused", programs.Checker, VISITORS,
        ("It is the same bug, seen from the other side.",
         "There are two shared fields, so there are two windows.",
         "Alice must not reach her last step before Mallory has left something on a board."),
        lambda room, answers: answers["alice"] is not True,
    ),
    Level(
        "lost-update", "Lose an update",
        "Two doors, one counter. Everybody who enters adds one. At the end it says 1.",
        "two visitors came in, and the counter does not say 2", programs.Visits,
        MappingProxyType({"left": lambda hall: hall.enter(), "right": lambda hall: hall.enter()}),
        ("`+= 1` is not one step.",
         "It reads, and then it writes. What if both read the same number?",
         "Left reads. Right does everything. Left writes what it has read, plus one."),
        lambda hall, answers: hall.count != 2,
    ),
    Level(
        "only-two", "Six come in, the counter says 2",
        "An old interview question. Two visitors add one, three times each. How small can the number at the "
        "end be? Make it 2.",
        "the counter says 2 at the end", programs.Visits,
        MappingProxyType(
            {"left": lambda hall: hall.enter_three_times(), "right": lambda hall: hall.enter_three_times()}
        ),
        ("A number that was read long ago wipes out everything that came after.",
         "Each of them can wipe out the other's work once. The last write must be a 2.",
         "Left reads 0 and waits until right has two of its three done. Then left writes 1, right reads it "
         "and waits until left is done."),
        lambda hall, answers: hall.count == 2,
    ),
    Level(
        "twins", "Two units, one number",
        "A generator whose numbers do not repeat for long, used by two units at once. Make them agree.",
        "both units draw the same number", programs.Numbers,
        MappingProxyType({"unit1": lambda source: source.draw(), "unit2": lambda source: source.draw()}),
        ("A draw reads the state, writes the new one, and reads it again.",
         "Either both start from the same state, or one takes home what the other wrote.",
         "Unit 1 reads the state. Unit 2 draws. Unit 1 goes on from the state that it has read."),
        lambda source, answers: answers["unit1"] == answers["unit2"],
    ),
    Level(
        "swapped", "Exchange the answers",
        "The first board again, without any lock. Mallory was let in, and Alice was refused. Can both happen "
        "in one run? Do it, or claim that nobody can.",
        "mallory is accepted and alice is refused", programs.Checker, VISITORS,
        ("Write down what has to come before what, for each of the two answers.",
         "The last writer on a board decides what both of them read there.",
         "Mallory needs Alice's writing to be the last, Alice needs Mallory's."),
        lambda room, answers: answers["mallory"] is True and answers["alice"] is False,
        impossible=True,
    ),
    Level(
        "two-locks", "Stop the bank",
        "Every account has its lock, and no coin is ever lost. But the two payments take the locks in "
        "different order.",
        "deadlock: nobody can move any more", programs.Bank,
        MappingProxyType({"red": lambda bank: bank.red_pays(), "blue": lambda bank: bank.blue_pays()}),
        ("Nothing wrong is computed here. Look at who waits for whom.",
         "Each needs two locks and begins with its own.",
         "Let each take its first lock."),
        goal="deadlock",
    ),
    Level(
        "split-locks", "Half a fix: a lock for the write, a lock for the read",
        "After the incident, every access takes the lock. The wrong passcode still gets in.",
        LET_IN, programs.SplitLocks, VISITORS,
        ("A lock protects what happens while it is held, and nothing that happens in between.",
         "The lock is given back between the write and the read.",
         "Mallory writes and gives the lock back. Alice checks from first to last. Then Mallory goes on."),
        lambda room, answers: answers["mallory"] is True,
    ),
    Level(
        "new-lock", "Half a fix: a new lock for every call",
        "Now the lock goes around everything. It still happens.",
        LET_IN, programs.NewLock, VISITORS,
        ("Who else could hold this lock?",
         "Every call makes its own lock, so nobody ever waits.",
         "Play it as if the lock were not there."),
        lambda room, answers: answers["mallory"] is True,
    ),
    Level(
        "one-lock", "One lock around everything",
        "One lock for all calls, from the first write to the last read. Get Mallory in. Or claim that "
        "nobody can.",
        LET_IN, programs.OneLock, VISITORS,
        ("Try to put Alice between two of Mallory's steps.",
         "The thread that holds the lock does all its work before the other one can begin.",
         "If you have run out of places for a switch, perhaps there is none. Claim it."),
        lambda room, answers: answers["mallory"] is True,
        impossible=True,
    ),
    Level(
        "shared-result", "Half a fix: a local buffer, a shared result",
        "The candidate does not leave the call any more. The answer still does.",
        LET_IN, programs.SharedResult, VISITORS,
        ("One shared field is enough.",
         "The answer is written, then read again. Whose answer is read?",
         "Mallory writes her False. Alice writes her True. Mallory reads."),
        lambda room, answers: answers["mallory"] is True,
    ),
)  # fmt: skip


def level(name: str) -> Level:
    """The level with this name. Raises ScenarioError, with the names there are, for another one."""
    for one in LEVELS:
        if one.name == name:
            return one
    raise ScenarioError(f"no level is called {name!r}; there are {', '.join(one.name for one in LEVELS)}")
