"""Which exercises exist: a folder each, course/<unit>/exercises/<n>_<name>/, loaded by path when it is asked for."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from .. import paths
from .types import Exercise

COURSE = "sharedstate_course"
ID = re.compile(r"(?P<unit>\d\d)\.(?P<number>\d+)")


@dataclass(frozen=True)
class Room:
    """The folder of one exercise. Its module is called, for example, sharedstate_course.u01.e1_schedule."""

    folder: Path

    @property
    def unit(self) -> str:
        """The unit's two digits."""
        return self.unit_folder.name[:2]

    @property
    def unit_folder(self) -> Path:
        """The folder course/<unit>/, in which the lab lies."""
        return self.folder.parents[1]

    @property
    def number(self) -> int:
        """The exercise's place in its lab, from 1."""
        return int(self.folder.name.partition("_")[0])

    @property
    def id(self) -> str:
        """The exercise's id, "01.2"."""
        return f"{self.unit}.{self.number}"

    def module(self) -> ModuleType:
        """Return check.py as a module, loaded once. What is relative in it (`from .words import …`) lies beside the
        exercises of the unit, in course/<unit>/exercises/.
        """
        package = _package(self.unit, self.folder.parent)
        name = f"{package}.e{self.folder.name}"
        return sys.modules.get(name) or _loaded(name, self.folder / "check.py")

    def load(self) -> Exercise:
        """Return the exercise; ValueError when check.py holds none, or one with another id than its folder's."""
        found = getattr(self.module(), "EXERCISE", None)
        if not isinstance(found, Exercise) or found.id != self.id:
            said = f"{self.folder.name}/check.py of unit {self.unit} should end with EXERCISE = …(), of id {self.id!r}."
            raise ValueError(said)
        return found


@dataclass(frozen=True)
class Registry:
    """The exercises of a course/ folder: this course's, unless another one is given."""

    course: Path = field(default_factory=paths.course)

    def units(self) -> tuple[str, ...]:
        """Return the two digits of every unit that has exercises, in order."""
        return tuple(sorted({folder.parent.name[:2] for folder in self.course.glob("[0-9][0-9]_*/exercises")}))

    def rooms(self, unit: str) -> tuple[Room, ...]:
        """Return the folders of a unit's exercises in order; () without any. `unit`: "1", "01", "01_passcode_race"."""
        return tuple(sorted(self._rooms(unit_number(unit), "[0-9]*"), key=lambda room: room.number))

    def room(self, exercise_id: str) -> Room:
        """Return the folder of an exercise by its id ("01.2"); ValueError lists the ids there are."""
        named = ID.fullmatch(str(exercise_id))
        for room in self._rooms(named["unit"], named["number"]) if named else ():
            return room
        every = [room.id for unit in self.units() for room in self.rooms(unit)]
        raise ValueError(f"There is no exercise {exercise_id!r}. Exercises: {', '.join(every)}.")

    def exercises(self, unit: str) -> tuple[Exercise, ...]:
        """Return the exercises of a unit in order; () without a lab. `unit` as for `rooms`."""
        return tuple(room.load() for room in self.rooms(unit))

    def exercise(self, exercise_id: str) -> Exercise:
        """Return one exercise by its id, and load no other; ValueError lists the ids there are."""
        return self.room(exercise_id).load()

    def _rooms(self, unit: str, number: str) -> Iterator[Room]:
        found = self.course.glob(f"{unit}_*/exercises/{number}_*/check.py")
        return (Room(check.parent) for check in found)


def _package(unit: str, folder: Path) -> str:
    """Return the name of a unit's package, made if need be; one made for another course's unit gives way."""
    name = f"{COURSE}.u{unit}"
    known = sys.modules.get(name)
    if known is None or [*known.__path__] != [str(folder)]:
        for old in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            del sys.modules[old]
        _make_package(COURSE)
        _make_package(name, str(folder))
    return name


def _make_package(name: str, *places: str) -> None:
    """Enter a package without an __init__.py, whose modules lie in these places."""
    spec = ModuleSpec(name, None, is_package=True)
    spec.submodule_search_locations = [*places]
    sys.modules.setdefault(name, importlib.util.module_from_spec(spec))


def _loaded(name: str, file: Path) -> ModuleType:
    """Execute a file as a module of this name; one that fails leaves nothing behind."""
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def unit_number(word: str) -> str:
    """Return the two digits of a unit's name, number, exercise id or notebook; ValueError when it has none."""
    found = re.match(r"(?:lab_|solution_)?(\d+)", str(word))
    if not found:
        raise ValueError(f"{word!r} names no unit: a unit begins with its number, for example 01.")
    return found[1].zfill(2)


def exercises(unit: str) -> tuple[Exercise, ...]:
    """Return the exercises of one unit of the course."""
    return Registry().exercises(unit)


def exercise(exercise_id: str) -> Exercise:
    """Return one exercise of the course by its id."""
    return Registry().exercise(exercise_id)
