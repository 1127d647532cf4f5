"""One set of pins: pyproject.toml, requirements.lock and environment.yml agree, and the lock is complete."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from rattler import MatchSpec

HOME = Path(__file__).resolve().parents[1]
NAMES = ("pyproject.toml", "requirements.lock", "environment.yml")
SYSTEMS = (("linux", "Linux", "posix"), ("darwin", "Darwin", "posix"), ("win32", "Windows", "nt"))
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def texts() -> dict[str, str]:
    """Return the three files as they are."""
    return {name: (HOME / name).read_text(encoding="utf-8") for name in NAMES}


def requirements(lines: list[str]) -> tuple[dict[str, Requirement], list[str]]:
    """Parse requirement lines into {canonical name: requirement}, with what is wrong with their form."""
    parsed, wrong = {}, []
    for line in lines:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            wrong.append(f"not a requirement: {line}")
            continue
        exact = re.fullmatch(r"==[^*+]+", str(requirement.specifier))
        if not exact or requirement.url:
            wrong.append(f"not one exact version without a local part: {line}")
        name = canonicalize_name(requirement.name)
        if name in parsed and parsed[name].specifier != requirement.specifier:
            wrong.append(f"two versions of {name}")
        parsed[name] = requirement
    return parsed, wrong


def lock_lines(text: str) -> list[str]:
    """Return the lock's lines without comments and blank ones."""
    return [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]


def faults(files: dict[str, str]) -> list[str]:
    """Return everything in which the three files disagree or break the rules of their form."""
    project = tomllib.loads(files["pyproject.toml"])
    lock, wrong = requirements(lock_lines(files["requirements.lock"]))
    direct, more = requirements(project["project"]["dependencies"])
    wrong += more
    for extra, lines in project["project"]["optional-dependencies"].items():
        pins, more = requirements(lines)
        wrong += [f"extra {extra}: {text}" for text in more] + disagreements(f"extra {extra}", pins, lock)
    builders, more = requirements(project["build-system"]["requires"])
    wrong += more + disagreements("the build", builders, lock) + disagreements("pyproject", direct, lock)
    return wrong + conda_faults(yaml.safe_load(files["environment.yml"]), direct, project)


def disagreements(who: str, pins: dict[str, Requirement], lock: dict[str, Requirement]) -> list[str]:
    """Return the pins that the lock lacks or has in another version or for other machines."""
    wrong = []
    for name, pin in pins.items():
        held = lock.get(name)
        if held is None or held.specifier != pin.specifier or str(held.marker) != str(pin.marker):
            wrong.append(f"{who}: {pin} is {held} in the lock")
    return wrong


def conda_faults(environment: Any, direct: dict[str, Requirement], project: Any) -> list[str]:
    """Return what environment.yml lacks: Python, pip, the learner's pins, the lock and the package itself."""
    wrong = [] if environment["name"] == project["project"]["name"] else ["environment.yml: another name"]
    specs = [entry for entry in environment["dependencies"] if isinstance(entry, str)]
    parsed = {}
    for spec in specs:
        try:
            match = MatchSpec(spec, strict=True)
        except Exception as problem:
            wrong.append(f"environment.yml: {spec!r} is no conda spec: {problem}")
            continue
        parsed[match.name.normalized] = str(match.version)
    oldest = str(project["project"]["requires-python"]).removeprefix(">=")
    if (
        parsed.get("python") not in (f"{oldest}.*", f"=={oldest}", oldest, f"={oldest}")
        or "pip" not in parsed
    ):
        wrong.append(f"environment.yml: needs python={oldest} and pip, has {parsed}")
    (pip,) = [entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict)]
    options = [line for line in pip if line.startswith("-")]
    if options != ["-c requirements.lock", "-e ."]:
        wrong.append(f"environment.yml: pip's options are {options}")
    pins, more = requirements([line for line in pip if not line.startswith("-")])
    if {n: str(p) for n, p in pins.items()} != {n: str(p) for n, p in direct.items()}:
        wrong.append("environment.yml: pip's pins are not pyproject's")
    return wrong + more


def test_the_three_files_agree() -> None:
    assert faults(texts()) == []


TAMPERED = (
    ("requirements.lock", "torch==2.13.0", "torch==2.13.0+cpu", "local part"),
    ("requirements.lock", "numpy==2.4.6", "numpy==2.4.5", "pyproject: numpy==2.4.6 is numpy==2.4.5"),
    ("requirements.lock", "numpy==2.4.6", "numpy>=2.4.6", "not one exact version"),
    ("requirements.lock", "click==8.5.1\n", "click==8.5.1 --hash=sha256:00\n", "not a requirement"),
    ("requirements.lock", "click==8.5.1\n", "--find-links wheels\nclick==8.5.1\n", "not a requirement"),
    ("requirements.lock", "click==8.5.1\n", "click @ file:///click.whl\n", "not one exact version"),
    ("requirements.lock", "hypothesis==6.170.17\n", "", "extra test: hypothesis==6.170.17 is None"),
    ("requirements.lock", "setuptools==84.2.1\n", "", "the build: setuptools==84.2.1 is None"),
    (
        "requirements.lock",
        "frontrun==0.7.0",
        "frontrun==0.7.0 ; python_version >= '3.12'",
        "extra peers: frontrun",
    ),
    ("pyproject.toml", '"torch==2.13.0"', '"torch==2.13.0+cpu"', "local part"),
    ("pyproject.toml", '"ipykernel==7.4.0"', '"ipykernel==7.*"', "not one exact version"),
    ("environment.yml", "numpy==2.4.6", "numpy==2.4.5", "not pyproject's"),
    ("environment.yml", "python=3.11", "python=3.10", "needs python=3.11"),
    ("environment.yml", "python=3.11", "python=3.11=[", "is no conda spec"),
    ("environment.yml", "      - -e .\n", "", "pip's options"),
    ("environment.yml", "torch==2.13.0", "torch==2.13.0+cpu", "local part"),
)


@pytest.mark.parametrize(("name", "old", "new", "said"), TAMPERED)
def test_a_tampered_copy_is_caught(name: str, old: str, new: str, said: str) -> None:
    files = texts()
    assert old in files[name], "the tampering no longer applies"
    files[name] = files[name].replace(old, new, 1)
    assert any(said in fault for fault in faults(files)), faults(files)


# --- the lock is complete


def machines() -> Iterator[dict[str, str]]:
    """Yield the marker environments of every system and Python that the course supports."""
    for platform, system, kind in SYSTEMS:
        for python in PYTHONS:
            facts = {"sys_platform": platform, "platform_system": system, "os_name": kind}
            versions = {"python_version": python, "python_full_version": f"{python}.0"}
            yield {**default_environment(), **facts, **versions}


def holds(requirement: Requirement, facts: dict[str, str], extras: frozenset[str]) -> bool:
    """Say whether a requirement counts on this machine for these extras."""
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**facts, "extra": extra}) for extra in (extras or {""}))


def closure(roots: list[Requirement], facts: dict[str, str]) -> set[str]:
    """Return the names of everything the roots pull in on that machine, as far as it can be read here."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [root for root in roots if holds(root, facts, frozenset())]
    while waiting:
        requirement = waiting.pop()
        key = (canonicalize_name(requirement.name), frozenset(requirement.extras))
        if key in seen:
            continue
        seen.add(key)
        try:
            lines = metadata.distribution(requirement.name).requires or []
        except metadata.PackageNotFoundError:
            continue  # belongs to another system; what it pulls in cannot be read here
        for line in lines:
            inner = Requirement(line)
            if holds(inner, facts, key[1] | {""}):
                waiting.append(inner)
    return {name for name, _ in seen}


def roots(pyproject: str) -> list[Requirement]:
    """Return every direct requirement, of the learner and of all extras."""
    project = tomllib.loads(pyproject)["project"]
    lines = chain(project["dependencies"], *project["optional-dependencies"].values())
    return list(map(Requirement, lines))


def missing_on(facts: dict[str, str], files: dict[str, str]) -> list[str]:
    """Return what that machine would install at a version that the lock does not hold."""
    lock, _ = requirements(lock_lines(files["requirements.lock"]))
    held = {name for name, pin in lock.items() if holds(pin, facts, frozenset())}
    return sorted(closure(roots(files["pyproject.toml"]), facts) - held)


@pytest.mark.parametrize(
    "facts", list(machines()), ids=lambda f: f"{f['sys_platform']}-{f['python_version']}"
)
def test_the_lock_holds_everything_on_every_machine(facts: dict[str, str]) -> None:
    assert missing_on(facts, texts()) == []


@pytest.mark.parametrize(
    ("line", "platform"),
    [("traitlets==5.16.1\n", "linux"), ("colorama==0.4.6 ; sys_platform == 'win32'\n", "win32"),
     ("appnope==1.0.0 ; sys_platform == 'darwin'\n", "darwin")],
)  # fmt: skip
def test_a_line_that_is_missing_from_the_lock_is_noticed(line: str, platform: str) -> None:
    files = texts()
    assert line in files["requirements.lock"]
    files["requirements.lock"] = files["requirements.lock"].replace(line, "")
    facts = next(f for f in machines() if f["sys_platform"] == platform)
    assert missing_on(facts, files) == [line.split("==")[0]]


def wrong_here(lock_text: str) -> list[str]:
    """Return the installed members of the closure whose version, local part aside, is not the lock's."""
    lock, _ = requirements(lock_lines(lock_text))
    names = closure(roots(texts()["pyproject.toml"]), default_environment())
    wrong = []
    for name in sorted(names & set(lock)):
        try:
            found = metadata.version(name).split("+")[0]
        except metadata.PackageNotFoundError:
            continue
        if not lock[name].specifier.contains(found, prereleases=True):
            wrong.append(f"{name} {found}")
    return wrong


def test_what_is_installed_here_is_what_the_lock_says() -> None:
    lock = texts()["requirements.lock"]
    assert wrong_here(lock) == []
    assert wrong_here(lock.replace("click==8.5.1", "click==8.5.0")) == ["click 8.5.1"]


def test_nothing_in_the_lock_is_left_over() -> None:
    lock, _ = requirements(lock_lines(texts()["requirements.lock"]))
    needed = set().union(*(closure(roots(texts()["pyproject.toml"]), facts) for facts in machines()))
    cuda = {name for name in lock if name.startswith(("nvidia-", "cuda-")) or name == "triton"}
    assert set(lock) - needed - cuda == set(), "no longer pulled in by anything"
    assert all(str(lock[name].marker) == 'sys_platform == "linux"' for name in cuda)


def test_this_python_is_one_that_the_course_names() -> None:
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in PYTHONS
