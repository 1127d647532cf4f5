"""The package as it is installed elsewhere: a wheel holds the course, and judges answers far from any checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from sharedstate import paths
from sharedstate.checks import Registry
from sharedstate.checks.bank import setup_source, wrong_answers

HOME = paths.root()
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")


def run(*command: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command without the variables that lead to this checkout."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SHAREDSTATE"))}
    return subprocess.run([*map(str, command)], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel, install it into an empty environment, and return that environment's Python.

    The environment borrows this one's libraries, but not what is installed here in editable form.
    """
    place = tmp_path_factory.mktemp("wheel")
    for name in ("src", "course"):
        shutil.copytree(HOME / name, place / "source" / name, ignore=LEFT_OUT)
    for name in ("pyproject.toml", "setup.py", "README.md"):
        shutil.copy(HOME / name, place / "source" / name)
    offline = ("--no-deps", "--no-index", "--quiet", "--disable-pip-version-check")
    pip = (sys.executable, "-m", "pip")
    built = run(*pip, "wheel", *offline, "--no-build-isolation", "-w", place, place / "source", cwd=place)
    assert built.returncode == 0, built.stderr
    env = place / "env"
    venv.EnvBuilder(with_pip=False, symlinks=os.name != "nt").create(env)
    python = env / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    wheel, = place.glob("sharedstate-*.whl")
    done = run(*pip, "--python", python, "install", *offline, wheel, cwd=place)
    assert done.returncode == 0, done.stderr
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place).stdout.strip()
    Path(site, "borrowed.pth").write_text("\n".join({sysconfig.get_path(name) for name in ("purelib", "platlib")}))
    shutil.rmtree(place / "source")
    return python


def test_the_course_lies_inside_the_installed_package(installed: Path, tmp_path: Path) -> None:
    code = ("import json, sharedstate; from sharedstate import paths; from sharedstate.checks import Registry\n"
            "print(json.dumps([sharedstate.__file__, str(paths.course()), Registry().units(), [*paths.units()]]))")
    package, course, exercised, units = json.loads(run(installed, "-c", code, cwd=tmp_path).stdout)
    assert Path(package).is_relative_to(installed.parents[1]) and Path(course) == Path(package).parent / "course"
    assert tuple(exercised) == Registry().units() and units == [*paths.units()]


@pytest.mark.parametrize("isolated", [(), ("--isolated",)], ids=["inside", "isolated"])
def test_a_solution_and_a_wrong_answer_are_judged_there(installed: Path, tmp_path: Path, isolated: tuple) -> None:
    solution = HOME / "solutions" / "solution_01_passcode_race.ipynb"
    rooms = Registry().rooms("01")
    bank = [wrong_answers(room.folder)[0] for room in rooms]
    wrong = tmp_path / "01_wrong.ipynb"
    sources = [setup_source(rooms[0].unit_folder), *(one.source for one in bank)]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    wrong.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    done = run(installed, "-m", "sharedstate", "check", solution, wrong, "--json", *isolated, cwd=tmp_path)
    good, bad = json.loads(done.stdout)
    assert done.returncode == 1 and good["ok"] and good["points"] == good["max_points"], done.stdout
    assert [exercise["reason"] for exercise in bad["exercises"]] == [one.reason for one in bank]


EXPLORED = """
import json
from sharedstate.checks import Registry, assess
from sharedstate.checks.bank import load_answer, right_answers, setup_source, wrong_answers

room = Registry().room("02.6")
setup, exercise = setup_source(room.unit_folder), room.load()
for one in (right_answers(room.folder)[0], next(a for a in wrong_answers(room.folder) if a.reason == "money-lost")):
    verdict = assess(exercise, load_answer(one.source, one.place, exercise.answer, setup), 1)
    print(verdict.reason, "the check" in (verdict.schedule or ""))
"""


def test_the_explorer_follows_an_installed_checks_code(installed: Path, tmp_path: Path) -> None:
    done = run(installed, "-c", EXPLORED, cwd=tmp_path)
    assert done.stdout.split("\n") == ["ok False", "money-lost True", ""], done.stderr
