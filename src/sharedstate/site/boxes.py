"""The boxes of the site: a program of a lesson, everything that it needs, and the question asked of it.

Nothing is typed again here. A box names classes of a lesson and an expression that makes a Scenario; what these
need (imports, helpers, the class they derive from) is found in the same lesson.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from sharedstate.percent import Cell, code_cells

FIRST_LEVELS = ("coffee", "wrong-in", "right-out")
ROOM = "room"
AT_HAND = "import threading"  # whoever repairs a class wants a lock


@dataclass(frozen=True)
class Box:
    """Classes of a unit's lesson to edit, the expression for their Scenario, and what to try."""

    name: str
    unit: str
    shown: tuple[str, ...]
    ask: str
    title: str
    task: str


@dataclass(frozen=True)
class Program:
    """The text of a box: `before` is folded away, `shown` is to be edited; `shown` ends in the lesson's cell `cell`."""

    before: str
    shown: str
    cell: int


@dataclass(frozen=True)
class Piece:
    """One statement of a lesson: the name that it defines, its text, the names that it uses, its cell."""

    name: str
    text: str
    used: frozenset[str]
    cell: int


BOXES = (
    Box("cafe", "00_start_here", ("Cafe",), "evening(Cafe)", "The café, every evening",
        "Press the button. Then give each guest a slip of their own: use a local variable in place of self.slip."),
    Box("checker", "01_passcode_race", ("PasscodeChecker",), "visit(PasscodeChecker, mallory_in)",
        "Who gets in?",
        "Press the button. Then repair the class: put one lock (threading.Lock()) around everything in check, or keep "
        "the candidate and the answer in local variables. Press again until it says proved."),
    Box("no-spin", "01_passcode_race", ("NoSpin",), "visit(NoSpin, mallory_in)", "No work in the gap",
        "Nothing stands between the write and the read. Is that enough?"),
    Box("no-board", "01_passcode_race", ("NoBoard",), "visit(NoBoard, mallory_in)", "Half a fix",
        "Only the answer is shared now. Press, and then finish the repair."),
    Box("credit", "02_isolation_fixes", ("LockOnly", "LocalOnly"), "visit(LockOnly)", "Which change helps?",
        "Try the lock alone. Then write visit(LocalOnly) in the line below the program, and try that."),
    Box("half-fixes", "02_isolation_fixes", ("TwoLocks", "NewLock"), "visit(TwoLocks)", "Two locks that do not help",
        "Find the order that lets Mallory in. Then make one with block out of the two."),
    Box("half-result", "02_isolation_fixes", ("SharedResult",), "visit(SharedResult)", "The answer is still shared",
        "The candidate is local. Press, and then make the answer local, too."),
    Box("middleware", "02_isolation_fixes", ("Middleware",), "logins(Middleware)", "One object for all requests",
        "Two users log in. Hand the strategy on as an argument, and press again."),
    Box("bank", "02_isolation_fixes", ("Bank",), "transfers(Bank)", "Nobody moves",
        "Press, and read who waits for whom. Then let back take the locks in the order of there."),
    Box("tasks", "02_isolation_fixes", ("AwaitInGap",), "tasks(AwaitInGap)", "Tasks, and an await in the gap",
        "One thread, two tasks. Keep the candidate in a local variable, and press again."),
)  # fmt: skip


def boxes_of(unit: str) -> tuple[Box, ...]:
    """Return a unit's boxes, in the order of its lesson."""
    return tuple(box for box in BOXES if box.unit == unit)


def box_named(name: str) -> Box:
    """Return a box. Raises KeyError for a name that none has."""
    return {box.name: box for box in BOXES}[name]


def program(box: Box, lesson: str) -> Program:
    """Cut a box's program out of its lesson (the text of lesson.py).

    Raises ValueError when the lesson no longer defines what the box shows or asks.
    """
    pieces: dict[str, Piece] = {}
    for piece in _pieces(code_cells(lesson)):
        pieces.setdefault(piece.name, piece)  # the first definition counts
    asked = _names(ast.parse(box.ask))
    missing = [name for name in (*box.shown, *asked) if name not in pieces]
    if missing:
        raise ValueError(f"box {box.name}: the lesson of {box.unit} does not define {', '.join(missing)}")
    needed = _closure((*box.shown, *asked), pieces)
    before = [piece.text for name, piece in pieces.items() if name in needed and name not in box.shown]
    shown = [pieces[name] for name in box.shown]
    return Program(_joined([AT_HAND, *before]), _joined([piece.text for piece in shown]),
                   max(piece.cell for piece in shown))


def _pieces(cells: Iterable[Cell]) -> Iterator[Piece]:
    """Yield what the lesson's cells define at their top level; an import is a piece for each of its names."""
    for cell in cells:
        if cell.source.lstrip().startswith(("%", "!")):
            continue
        lines = cell.source.splitlines()
        for node in ast.parse(cell.source).body:
            for name, text in _defined(node, lines):
                yield Piece(name, text, frozenset(_names(node)), cell.number)


def _defined(node: ast.stmt, lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, text) for each name that a statement defines."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        source = "import" if isinstance(node, ast.Import) else f"from {node.module} import"
        for alias in node.names:
            renamed = f" as {alias.asname}" if alias.asname else ""
            yield (alias.asname or alias.name).split(".")[0], f"{source} {alias.name}{renamed}"
        return
    first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    text = "\n".join(lines[first - 1 : node.end_lineno])
    if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        yield node.name, text
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield target.id, text


def _names(node: ast.AST) -> set[str]:
    """Return the names that a tree takes from around it (a name that is an argument anywhere in it is its own)."""
    own = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} - own


def _closure(names: Iterable[str], pieces: Mapping[str, Piece]) -> set[str]:
    """Return the names, and all that their pieces need in turn."""
    seen: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name in pieces and name not in seen:
            seen.add(name)
            waiting += pieces[name].used
    return seen


def _joined(pieces: Iterable[str]) -> str:
    """Return texts as one: imports first and close together, two lines between definitions."""
    texts = list(dict.fromkeys(pieces))
    imports = sorted(text for text in texts if text.startswith(("import ", "from ")) and "\n" not in text)
    rest = [text for text in texts if text not in imports]
    return "\n\n\n".join(["\n".join(imports)] * bool(imports) + rest)


# --- as HTML


def box_html(box: Box, made: Program, home: str) -> str:
    """Return a box as HTML; `home` leads from its page to the top of the site ("" or "../")."""
    where = f"ss-{box.name}"
    return f"""<section class="ss-box" data-box="{box.name}" aria-labelledby="{where}-title">
<p class="ss-box-title" id="{where}-title">Try it in this page: {escape(box.title)}</p>
<p>{escape(box.task)}</p>
{_editor(f"{where}-shown", "ss-shown", "The program, yours to edit", made.shown)}
<details><summary>Who comes, and what must not happen</summary>
{_editor(f"{where}-before", "ss-before", "What the program needs: also yours to edit", made.before)}
</details>
<p class="ss-asked"><label for="{where}-ask"><code>{ROOM} =</code> <span class="ss-hidden">the scenario</span></label>
<input id="{where}-ask" class="ss-ask" value="{escape(box.ask)}" spellcheck="false" autocomplete="off"></p>
{_buttons('<button type="button" class="ss-every">Every interleaving</button>')}
{_foot(home)}
</section>"""


def game_html(levels: Iterable[tuple[str, str]], home: str) -> str:
    """Return the scheduler game as HTML. levels: (name, title), the first one is open."""
    options = "".join(f'<option value="{escape(name)}">{escape(title)}</option>' for name, title in levels)
    return f"""<section class="ss-box ss-play" aria-label="The scheduler game">
<p class="ss-box-title">Play it in this page: you are the scheduler</p>
<p><label>Level <select class="ss-level">{options}</select></label></p>
<div class="ss-story"></div>
<div class="ss-shared"></div>
<div class="ss-moves ss-buttons"></div>
{_buttons('<button type="button" class="ss-undo">Undo</button>')}
{_foot(home)}
</section>"""


def _editor(where: str, kind: str, label: str, text: str) -> str:
    """Return a labelled field for code, as high as its text."""
    return (
        f'<label for="{where}">{escape(label)}</label>\n<textarea id="{where}" class="ss-code {kind}" '
        f'rows="{text.count(chr(10)) + 2}" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off">\n'
        f"{escape(text)}</textarea>"
    )


def _buttons(first: str) -> str:
    """Return the row of buttons, and the places for what is said and drawn."""
    return (
        f'<div class="ss-buttons">{first}<button type="button" class="ss-reset">Start again</button>'
        '<button type="button" class="ss-stop" hidden>Stop</button></div>\n'
        '<p class="ss-status" role="status">This box needs JavaScript.</p>\n<div class="ss-result"></div>'
    )


def _foot(home: str) -> str:
    """Return the line that leads to the whole notebook."""
    return (
        '<p class="ss-foot">Python and the explorer run in your browser; nothing is sent anywhere. A web page has no '
        f'threads, so a schedule is not confirmed on real ones here: <a href="{home}run.html">the notebook does '
        "that</a>.</p>"
    )


def lesson_text(home: Path, unit: str) -> str:
    """Return the source of a unit's lesson."""
    return (home / "course" / unit / "lesson.py").read_text(encoding="utf-8")
