"""The room as data: what the hub is told, who may read it, what is handed out, what is said when something lacks."""

from __future__ import annotations

import os
import re
import signal
import socket
import stat
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from sharedstate.classroom import hub as plan
from sharedstate.classroom.handout import hand_out
from sharedstate.classroom.hub import BARE, GIB, HUB, TORCH, Room, bears, configuration, new_password, password_of
from sharedstate.cli import cli
from sharedstate.commands import board, hub, npm
from sharedstate.panels import start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX: JupyterHub does not run on Windows")


def room(folder: Path, **changes: Any) -> Room:
    """Return a room with fixed ports."""
    whole = Room(folder, Path("/course"), "127.0.0.1", 8000, 8101, 8102, "kafo-ruti-bemo", Path("/npm/proxy"))
    return replace(whole, **changes)


def mode(path: Path) -> int:
    """Return a file's permissions."""
    return stat.S_IMODE(path.stat().st_mode)


# --- the configuration


def test_only_the_proxy_listens_where_others_can_reach_it(tmp_path: Path) -> None:
    told = configuration(room(tmp_path, host="192.0.2.7"))
    assert told["JupyterHub"]["bind_url"] == "http://192.0.2.7:8000"
    assert (told["JupyterHub"]["hub_ip"], told["JupyterHub"]["hub_port"]) == ("127.0.0.1", 8101)
    assert told["ConfigurableHTTPProxy"]["api_url"] == "http://127.0.0.1:8102"
    assert str(told).count("192.0.2.7") == 1


def test_the_culler_may_end_servers_and_nothing_else(tmp_path: Path) -> None:
    told = configuration(room(tmp_path, idle=90))["JupyterHub"]
    assert told["services"][0]["command"][-1] == "--timeout=90"
    (role,) = told["load_roles"]
    assert role["services"] == ["idle-culler"] and set(role["scopes"]) == {
        "list:users", "read:users:activity", "read:servers", "delete:servers"}


@pytest.mark.parametrize(("name", "fits"), [
    ("ann", True), ("ann-2_b", True), ("a" * 31, True), ("a" * 32, False), ("", False), ("..", False), ("a/b", False),
    ("a b", False), ("2ann", False), ("ann\n", False), (".ann", False), ("a.b", False),
])  # fmt: skip
def test_a_learners_name_is_a_plain_folders_name(name: str, fits: bool, tmp_path: Path) -> None:
    pattern = configuration(room(tmp_path))["SharedPasswordAuthenticator"]["username_pattern"]
    assert bool(re.match(pattern, name)) == fits  # as the hub does it


def test_what_is_prepared_is_the_teachers_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        made = room(tmp_path / "deep" / "room")
        password_of(made.folder)
        config = plan.prepare(made)
        plan.prepare(made)  # a second time: over the first
    finally:
        os.umask(old)
    assert [mode(path) for path in (made.own, made.learners, config, made.own / "password")] == [
        0o700, 0o700, 0o600, 0o600]
    assert (made.folder / ".gitignore").read_text() == "*\n" and "kafo-ruti-bemo" in config.read_text()


def test_a_password_stays_until_another_is_wanted(tmp_path: Path) -> None:
    first = password_of(tmp_path)
    assert re.fullmatch(r"([a-z]{4}-){2}[a-z]{4}", first) and password_of(tmp_path) == first
    assert password_of(tmp_path, "longer-word") == "longer-word" == password_of(tmp_path)
    with pytest.raises(ValueError, match="too short: use 8"):
        password_of(tmp_path, "short")
    assert len({new_password() for _ in range(50)}) == 50


def test_how_many_learners_the_memory_bears() -> None:
    assert bears(HUB) == bears(0) == (0, 0)
    assert bears(HUB + 3 * TORCH) == (3 * TORCH // BARE, 3) == (6, 3)


# --- what is handed out


def test_labs_are_handed_out_once_and_never_overwritten(tmp_path: Path) -> None:
    course, home = tmp_path / "course", tmp_path / "learners" / "ann"
    for name in ("notebooks/01_race.ipynb", "labs/lab_01_race.ipynb"):
        (course / name).parent.mkdir(parents=True)
        (course / name).write_text("as it was")
    files = {".run/jupyter/settings.json": "{}"}
    assert hand_out(home, course, files) == [
        "notebooks/01_race.ipynb", "my-labs/lab_01_race.ipynb", ".run/jupyter/settings.json"]
    (home / "my-labs" / "lab_01_race.ipynb").write_text("my work")
    (home / ".run" / "jupyter" / "settings.json").write_text("my choice")
    for name in ("labs/lab_01_race.ipynb", "labs/lab_02_fixes.ipynb"):
        (course / name).write_text("as it is now")
    assert hand_out(home, course, files) == ["my-labs/lab_02_fixes.ipynb"]
    assert (home / "my-labs" / "lab_01_race.ipynb").read_text() == "my work"
    assert (home / ".run" / "jupyter" / "settings.json").read_text() == "my choice"
    assert mode(home) == 0o700 and not list(home.rglob("*.part"))


def test_the_start_page_leads_to_the_labs_of_the_learners_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHAREDSTATE_MY_LABS", str(tmp_path / "my-labs"))
    for folder in ("my-labs", "notebooks"):
        (tmp_path / folder).mkdir()
    (tmp_path / "my-labs" / "lab_01_passcode_race.ipynb").write_text("{}")
    row = SimpleNamespace(unit="01_passcode_race", number="01")
    assert "../labs/" in start._lab_link(row)
    monkeypatch.chdir(tmp_path / "notebooks")
    assert '"../my-labs/lab_01_passcode_race.ipynb"' in start._lab_link(row)


# --- the command


def said(*words: str) -> str:
    """Return what `hub` says before it gives up; it must give up with code 1."""
    done = CliRunner().invoke(cli, ["hub", *words])
    assert done.exit_code == 1 and done.output.startswith("Error: "), done.output
    return done.output


def test_what_stops_the_room_is_said_before_anything_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"Port {port} is taken" in said("--port", str(port), "--folder", str(tmp_path / "room"))
    assert "not an address of this machine" in said("--host", "192.0.2.7", "--folder", str(tmp_path / "room"))
    monkeypatch.setattr(hub, "find_spec", lambda name: None)
    assert "`python run.py hub` installs" in said("--folder", str(tmp_path / "room"))
    assert not (tmp_path / "room").exists()


def test_without_node_the_room_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(npm, "ready", lambda part, root: False)
    words = said("--folder", str(tmp_path / "room"), "--port", str(free()))
    assert "Node.js is not installed" in words and "apt-get install nodejs npm" in words


def test_a_hub_that_does_not_start_shows_the_end_of_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = tmp_path / "python"
    stand_in.write_text("#!/bin/sh\necho no database\nexit 3\n")
    stand_in.chmod(0o755)
    monkeypatch.setattr(hub.sys, "executable", str(stand_in))
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(RuntimeError, match=r"did not start.*hub\.log, ends:\n  no database"):
        hub.run(room(tmp_path, port=free()))
    assert signal.getsignal(signal.SIGTERM) == before and mode(tmp_path / "hub" / "hub.log") == 0o600


def free() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_the_teacher_reads_what_learners_type(tmp_path: Path) -> None:
    words = hub.welcome(room(tmp_path), HUB + 8 * GIB)
    assert "http://127.0.0.1:8000\n" in words and "password: kafo-ruti-bemo\n" in words
    assert f"about {8 * GIB // TORCH} learners with torch imported, {8 * GIB // BARE} without" in words
    assert "unencrypted" not in words and "learners are not kept apart" in words
    assert "unencrypted" in hub.welcome(room(tmp_path, host="192.0.2.7"), 0)


def test_each_learner_writes_into_an_own_folder(tmp_path: Path) -> None:
    made = hub.made(Path("/course"), tmp_path, "127.0.0.1", 8000, "", Path("/npm/proxy"), 0, 60)
    assert made.places["SHAREDSTATE_MY_LABS"] == "{home}/my-labs" and made.places["SHAREDSTATE_HOME"] == "/course"
    others = {name: place for name, place in made.places.items() if name != "SHAREDSTATE_HOME"}
    assert others and all(place.startswith("{home}/") for place in others.values())
    assert all(name.startswith(".run/") for name in made.files) and made.hub_port != made.proxy_port


# --- the page


def test_the_page_names_every_option_and_no_other() -> None:
    """docs/room.md describes `hub` and `board`: each option that it names is one, and none is left out."""
    words = (Path(__file__).resolve().parents[2] / "docs" / "room.md").read_text(encoding="utf-8")
    there = {option for command in (hub.command, board.command) for parameter in command.params
             for option in parameter.opts if option.startswith("--")}
    other = {"--export", "--no-run", "--user-name", "--user-id", "--target-repo-dir", "--image-name"}
    assert set(re.findall(r"--[a-z][a-z-]+", words)) - other == there
