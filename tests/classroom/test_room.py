"""The room under load: three learners, or twelve with --exhaustive, do lab 01 at once, each on an own server."""

from __future__ import annotations

import json
import stat
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import websocket

from sharedstate.classroom.board import board, exercise_names
from sharedstate.classroom.records import read_folder
from tests.classroom.learner import LearnerOverHttp
from tests.classroom.rooms import HOME, OpenRoom, open_room

FEW, MANY = 3, 12
SOLUTION = json.loads((HOME / "solutions" / "solution_01_passcode_race.ipynb").read_text(encoding="utf-8"))
CELLS = ["".join(cell["source"]) for cell in SOLUTION["cells"] if cell["cell_type"] == "code"]
EXERCISES = [key for key in exercise_names() if key.startswith("01.")]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenRoom]:
    """One room for this file."""
    with open_room(tmp_path_factory.mktemp("room") / "class") as opened:
        yield opened


@pytest.fixture(scope="module")
def crowd(room: OpenRoom, request: pytest.FixtureRequest) -> list[LearnerOverHttp]:
    """So many learners, each with a server and a kernel, all started at once."""
    number = MANY if request.config.getoption("--exhaustive") else FEW
    learners = [LearnerOverHttp(room.url, f"ann{k}", room.password) for k in range(number)]

    def arrive(learner: LearnerOverHttp) -> None:
        assert learner.log_in() == 302
        learner.take_token()
        learner.start_server()
        learner.kernel = learner.start_kernel()

    at_once(arrive, learners)
    return learners


def at_once(do: Callable[[LearnerOverHttp], object], learners: list[LearnerOverHttp]) -> list[object]:
    """Let every learner do the same at the same time; return what came of it. The first failure is raised."""
    with ThreadPoolExecutor(len(learners)) as pool:
        return list(pool.map(do, learners))


def solve(learner: LearnerOverHttp) -> None:
    """Run the solution of lab 01 in the learner's kernel, as "run all" does."""
    for cell in CELLS:
        learner.run(learner.kernel, cell)


def test_a_wrong_password_or_a_name_that_is_a_path_is_refused(room: OpenRoom, exhaustive: bool) -> None:
    for name, password in (("eve", "not-the-word"), ("../eve", room.password), ("eve eve", room.password)):
        assert LearnerOverHttp(room.url, name, password).log_in() == 403
    assert not (room.folder / "eve").exists() and not room.home("eve").exists()


def test_all_solve_lab_01_at_once(
    room: OpenRoom, crowd: list[LearnerOverHttp], exhaustive: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    memory = {"bare": measured(room, crowd)}
    at_once(solve, crowd)
    memory["lab 01"] = measured(room, crowd)
    records = read_folder(room.folder / "learners")
    seen = board(records, max(record.last for record in records), exercise_names(), {})
    assert [(one.state, one.solved) for one in seen.learners] == [("finished", len(EXERCISES))] * len(crowd)
    assert {one.name for one in seen.learners} == {learner.name for learner in crowd}
    for record in records:  # nobody's attempts went to somebody else
        assert [record.data["exercises"][key]["attempts"] for key in EXERCISES] == [1] * len(EXERCISES)
    if exhaustive:
        at_once(lambda one: one.run(one.kernel, "import torch"), crowd)
        memory["torch"] = measured(room, crowd)
    with capsys.disabled():
        print("\n" + table(room, crowd, memory))


def measured(room: OpenRoom, crowd: list[LearnerOverHttp]) -> list[float]:
    """Return the memory of each learner's server and kernel, in MiB."""
    return [room.memory(one.name) for one in crowd]


def table(room: OpenRoom, crowd: list[LearnerOverHttp], memory: dict[str, list[float]]) -> str:
    """Return a line for each learner: seconds until login, server and kernel answered, and memory."""
    lines = [f"The room of {len(crowd)}, open after {room.seconds:.1f} s. Seconds, and MiB of memory:",
             "learner    login  server  kernel" + "".join(f"{name:>8}" for name in memory)]
    for number, one in enumerate(crowd):
        seconds = "".join(f"{one.seconds[name]:8.1f}" for name in ("login", "server", "kernel"))
        lines.append(f"{one.name:8}{seconds}" + "".join(f"{each[number]:8.0f}" for each in memory.values()))
    return "\n".join(lines)


def test_a_token_opens_its_own_server_only(crowd: list[LearnerOverHttp], exhaustive: bool) -> None:
    one, other = crowd[:2]
    for path in ("api/contents/my-labs", "api/kernels", "api/status", "lab"):
        assert one.ask("GET", path, owner=one.name).status_code == 200, path
        assert one.ask("GET", path, owner=other.name).status_code == 403, path
    assert one.ask("PUT", "api/contents/x.ipynb", owner=other.name, json={"type": "notebook"}).status_code == 403
    stranger = LearnerOverHttp(one.hub, other.name, "")
    stranger.token = one.token
    with pytest.raises(websocket.WebSocketBadStatusException, match="403"):
        stranger.begin(other.kernel, "print('in')")


def test_a_runaway_kernel_stops_nobody_else(crowd: list[LearnerOverHttp], exhaustive: bool) -> None:
    wild, others = crowd[0], crowd[1:]
    kernel = wild.start_kernel()
    with pytest.raises(AssertionError, match="MemoryError"):
        wild.run(kernel, "taken = bytearray(3 << 30)")
    channel = wild.begin(kernel, "while True:\n    pass")
    try:
        assert at_once(lambda one: one.run(one.kernel, "print(6 * 7)"), others) == ["42\n"] * len(others)
        assert wild.run(wild.kernel, "print(6 * 7)") == "42\n"  # nor the same learner's other notebook
        assert wild.ask("POST", f"api/kernels/{kernel}/interrupt").status_code == 204
        assert wild.run(kernel, "print('back')") == "back\n"
    finally:
        channel.close()
        wild.ask("DELETE", f"api/kernels/{kernel}")


def test_a_server_that_is_killed_comes_back_with_the_work(
    room: OpenRoom, crowd: list[LearnerOverHttp], exhaustive: bool
) -> None:
    hurt, others = crowd[0], crowd[1:]
    lab = "my-labs/lab_01_passcode_race.ipynb"
    at_once(lambda one: one.run(one.kernel, f"mine = {one.name!r}"), others)
    assert hurt.read(lab)["cells"] != SOLUTION["cells"]  # what was handed out
    hurt.save(lab, SOLUTION)
    progress = (room.home(hurt.name) / "my-labs" / "progress.json").read_bytes()
    before = room.server_process(hurt.name)
    before.kill()
    hurt.start_server()
    assert room.server_process(hurt.name).pid != before.pid
    sources = ["".join(cell["source"]) for cell in hurt.read(lab)["cells"]]
    assert sources == ["".join(cell["source"]) for cell in SOLUTION["cells"]]
    assert (room.home(hurt.name) / "my-labs" / "progress.json").read_bytes() == progress
    hurt.kernel = hurt.start_kernel()
    assert hurt.run(hurt.kernel, "print(6 * 7)") == "42\n"
    assert at_once(lambda one: one.run(one.kernel, "print(mine)"), others) == [f"{one.name}\n" for one in others]


def test_the_secrets_are_the_teachers_alone_and_never_in_git(room: OpenRoom, exhaustive: bool) -> None:
    for path in [room.folder / "hub", *(room.folder / "hub").iterdir()]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path
    assert (room.folder / ".gitignore").read_text() == "*\n"
    assert subprocess.run(["git", "check-ignore", "-q", "room/hub/password"], cwd=HOME).returncode == 0
    assert room.password in room.said and room.url in room.said


def test_what_is_handed_out_lies_in_each_learners_own_folder(
    room: OpenRoom, crowd: list[LearnerOverHttp], exhaustive: bool
) -> None:
    labs = {path.name for path in (HOME / "labs").glob("*.ipynb")}
    for one in crowd:
        home = Path(room.home(one.name))
        assert labs <= {path.name for path in (home / "my-labs").iterdir()}
        assert one.run(one.kernel, "import os; print(os.environ['SHAREDSTATE_MY_LABS'])") == f"{home / 'my-labs'}\n"
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


@pytest.mark.exhaustive
def test_a_server_that_nobody_uses_is_ended_and_the_work_stays(tmp_path: Path) -> None:
    with open_room(tmp_path / "class", "--idle", "0.5") as opened:
        one = LearnerOverHttp(opened.url, "ann", opened.password)
        assert one.log_in() == 302
        one.take_token()
        one.start_server()
        lab = opened.home("ann") / "my-labs" / "lab_01_passcode_race.ipynb"
        lab.write_text(json.dumps(SOLUTION), encoding="utf-8")
        one.until(lambda: not opened.processes("ann"), "the end of the idle server")
        assert json.loads(lab.read_text(encoding="utf-8")) == SOLUTION
