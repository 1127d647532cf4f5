"""What comes from npm: installed once, as locked, into the ignored folder; trouble is said with its remedy."""

from __future__ import annotations

import json
import os
import re
import threading
from pathlib import Path

import pytest

from sharedstate.commands import npm

HOME = Path(__file__).resolve().parents[2]
PARTS = sorted(path.parent for path in (HOME / "npm").glob("*/package.json"))
posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX: the stand-ins are shell scripts")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one part, and a PATH that holds nothing but stand-ins."""
    (tmp_path / "npm" / "part").mkdir(parents=True)
    (tmp_path / "npm" / "part" / "package.json").write_text("{}")
    (tmp_path / "npm" / "part" / "package-lock.json").write_text('{"lock": 1}')
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def stand_in(root: Path, name: str, does: str) -> None:
    """Put a program on the PATH."""
    script = root / "bin" / name
    script.write_text(f"#!/bin/sh\n{does}\n")
    script.chmod(0o755)


COUNTS = ("echo $npm_config_cache \"$@\" >> ../../../calls\n"
          "/bin/cat package-lock.json > lock-seen\n/bin/mkdir -p node_modules/it")


@posix
def test_a_part_is_installed_once_and_again_when_its_lock_changes(root: Path) -> None:
    stand_in(root, "node", "echo v20.1.0")
    stand_in(root, "npm", COUNTS)
    assert not npm.ready("part", root)
    assert npm.install("part", root) == root / ".run" / "npm" / "part" / "node_modules"
    assert npm.ready("part", root) and (npm.install("part", root) / "it").is_dir()
    assert (root / "calls").read_text().count("\n") == 1
    (root / "npm" / "part" / "package-lock.json").write_text('{"lock": 2}')
    assert not npm.ready("part", root)
    npm.install("part", root)
    assert (npm.folder("part", root) / "lock-seen").read_text() == '{"lock": 2}'
    calls = (root / "calls").read_text().splitlines()
    assert len(calls) == 2 and all(call.startswith(f"{root / '.run' / 'npm' / 'cache'} ci ") for call in calls)


@posix
def test_two_that_ask_at_once_install_once(root: Path) -> None:
    stand_in(root, "node", "echo v20.1.0")
    stand_in(root, "npm", COUNTS)
    askers = [threading.Thread(target=npm.install, args=("part", root)) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(30)
    assert npm.ready("part", root) and (root / "calls").read_text().count("\n") == 1


@posix
@pytest.mark.parametrize(("programs", "said"), [
    ({}, "Node.js is not installed"), ({"node": "echo v18.20.0"}, "Node.js 18.20.0 is too old"),
    ({"node": "exit 1"}, "Node.js is not installed"), ({"node": "echo v22.0.0"}, "npm is not installed"),
])  # fmt: skip
def test_what_is_missing_is_said_with_its_remedy(root: Path, programs: dict[str, str], said: str) -> None:
    for name, does in programs.items():
        stand_in(root, name, does)
    with pytest.raises(npm.NpmTrouble, match=f"{re.escape(said)}.*apt-get install nodejs npm"):
        npm.install("part", root)


@posix
def test_a_failure_leaves_nothing_that_counts_as_installed(root: Path) -> None:
    stand_in(root, "node", "echo v20.1.0")
    stand_in(root, "npm", "echo 'npm error network'; exit 1")
    with pytest.raises(npm.NpmTrouble, match=r"is there a network.*\n  npm error network"):
        npm.install("part", root)
    assert not npm.ready("part", root)
    with pytest.raises(ValueError, match="npm/other/ holds no"):
        npm.install("other", root)


@pytest.mark.parametrize("part", PARTS, ids=lambda path: path.name)
def test_each_part_is_pinned_and_its_lock_names_no_address(part: Path) -> None:
    named = json.loads((part / "package.json").read_text(encoding="utf-8"))["dependencies"]
    lock = json.loads((part / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert named and lock[""]["dependencies"] == named
    for name, pin in named.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", pin) and lock[f"node_modules/{name}"]["version"] == pin
    locked = [entry for place, entry in lock.items() if place]
    assert all("integrity" in entry and "resolved" not in entry for entry in locked)
