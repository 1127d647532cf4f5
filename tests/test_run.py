"""run.py: finds a Python, makes .venv once, installs what a word needs, hands over, and says what is wrong."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

HOME = Path(__file__).resolve().parents[1]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return run.py as a module whose folder is a small copy of the checkout, with fakes for venv and pip."""
    spec = importlib.util.spec_from_file_location("course_run", HOME / "run.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec.loader.exec_module(module)
    folder = tmp_path / "checkout"
    (folder / "notebooks").mkdir(parents=True)
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(HOME / name, folder / name)
    for unit in ("00_start_here", "01_passcode_race"):
        (folder / "course" / unit).mkdir(parents=True)
        (folder / "notebooks" / f"{unit}.ipynb").write_text("{}")
    monkeypatch.setattr(module, "ROOT", folder)
    monkeypatch.setenv("SHAREDSTATE_HOME", str(folder))
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)
    return module


class Fakes:
    """What the fakes of venv and pip were asked to do."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.pip: list[list[str]] = []
        self.fail: BaseException | None = None


@pytest.fixture
def fakes(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Fakes:
    """Replace the two slow parts: making a .venv and running pip."""
    record = Fakes()

    def make_venv(folder: Path, reason: str) -> None:
        record.made.append(reason)
        shutil.rmtree(folder, ignore_errors=True)
        python = run.venv.venv_python(folder)
        python.parent.mkdir(parents=True)
        python.write_text("")
        (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")

    def pip(root: Path, arguments: list[str]) -> None:
        record.pip.append(arguments)
        if record.fail:
            raise record.fail

    monkeypatch.setattr(run, "make_venv", make_venv)
    monkeypatch.setattr(run.install, "pip", pip)
    return record


# --- Python itself


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_old_python_is_told_what_to_do(run: ModuleType, version: tuple[int, ...]) -> None:
    message = run.too_old(version)
    assert "Python 3.11 or newer is needed" in message and f"{version[0]}.{version[1]}" in message
    assert "python3.11 run.py lab" in message


def test_new_python_is_not_turned_away(run: ModuleType) -> None:
    assert [run.too_old(v) for v in ((3, 11, 0), (3, 14, 1), (4, 0, 0))] == ["", "", ""]


def test_python_3_6_can_read_the_file() -> None:
    with pytest.raises(SyntaxError):
        ast.parse("if (n := 1): pass", feature_version=(3, 6))
    source = (HOME / "run.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert "import annotations" not in source.replace("`from __future__ import annotations`", "")


def test_only_the_standard_library_is_imported() -> None:
    """Without site-packages: what run.py takes from the package needs nothing installed either."""
    done = subprocess.run([sys.executable, "-S", "-E", str(HOME / "run.py")], capture_output=True, text=True)
    assert done.returncode == 0 and "lab [UNIT]" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("there", "found"), [(("python3.12", "python3.9"), ["/bin/python3.12"]), (("python3.10",), [])]
)
def test_a_newer_python_is_found_on_this_machine(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, there: tuple[str, ...], found: list[str]
) -> None:
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/bin/{name}" if name in there else None)
    assert run.newer_python() == found


# --- what is installed, and when


def test_first_call_installs_the_pins_and_the_second_nothing(run: ModuleType, fakes: Fakes) -> None:
    run.ensure(())
    run.ensure(())
    assert fakes.made == [""]
    assert fakes.pip == [["install", "-c", "requirements.lock", "-e", "."]]
    assert run.venv.read_stamp(run.ROOT / ".venv")["state"] == "done"


def test_extras_add_up(run: ModuleType, fakes: Fakes) -> None:
    run.ensure(("build",))
    run.ensure(("peers",))
    run.ensure(("build",))
    assert [arguments[-1] for arguments in fakes.pip] == [".[build]", ".[build,peers]"]
    assert len(fakes.made) == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
def test_changed_pins_are_installed_into_the_same_venv(run: ModuleType, fakes: Fakes, name: str) -> None:
    run.ensure(("build",))
    (run.ROOT / name).write_text((run.ROOT / name).read_text() + "\n# newer\n")
    run.ensure(())
    assert len(fakes.made) == 1 and [arguments[-1] for arguments in fakes.pip] == [".[build]", ".[build]"]


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), OSError("power"), SystemExit(1)])
def test_an_interrupted_installation_is_repaired_by_the_next_call(
    run: ModuleType, fakes: Fakes, stop: BaseException
) -> None:
    fakes.fail = stop
    with pytest.raises(type(stop)):
        run.ensure(())
    fakes.fail = None
    run.ensure(())
    assert fakes.made == ["", "the last installation did not finish"]
    run.ensure(())
    assert len(fakes.pip) == 2


def spoil_python(run: ModuleType, venv: Path) -> str:
    run.venv.venv_python(venv).unlink()
    return "no working Python"


def spoil_home(run: ModuleType, venv: Path) -> str:
    (venv / "pyvenv.cfg").write_text("home = /not/there\n")
    return "made from is gone"


def spoil_place(run: ModuleType, venv: Path) -> str:
    run.venv.write_stamp(venv, {**run.venv.read_stamp(venv), "venv": "/elsewhere/.venv"})
    return "copied or moved"


def spoil_version(run: ModuleType, venv: Path) -> str:
    run.venv.write_stamp(venv, {**run.venv.read_stamp(venv), "python": "3.10 x86_64"})
    return "belongs to Python 3.10"


@pytest.mark.parametrize("spoil", [spoil_python, spoil_home, spoil_place, spoil_version])
def test_a_broken_venv_is_made_anew_and_says_why(
    run: ModuleType, fakes: Fakes, spoil: Callable[[ModuleType, Path], str]
) -> None:
    run.ensure(("build",))
    reason = spoil(run, run.ROOT / ".venv")
    run.ensure(())
    assert len(fakes.made) == 2 and reason in fakes.made[1]
    assert fakes.pip[-1][-1] == ".[build]"


def test_a_venv_of_somebody_else_is_used_when_it_works(
    run: ModuleType, fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.ensure(())
    (run.ROOT / ".venv" / "course-stamp.json").unlink()
    monkeypatch.setattr(run.venv, "foreign", lambda venv: "")
    run.ensure(())
    assert fakes.made == [""] and len(fakes.pip) == 2


def test_an_unstamped_venv_whose_python_does_not_start_is_made_anew(run: ModuleType, fakes: Fakes) -> None:
    run.ensure(())
    (run.ROOT / ".venv" / "course-stamp.json").unlink()  # its python is an empty file
    run.ensure(())
    assert len(fakes.made) == 2 and "does not" in fakes.made[1]


def test_a_damaged_stamp_counts_as_none(
    run: ModuleType, fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.ensure(())
    monkeypatch.setattr(run.venv, "foreign", lambda venv: "")
    for text in ("", "[]", "{"):
        (run.ROOT / ".venv" / "course-stamp.json").write_text(text)
        run.ensure(())
    assert len(fakes.pip) == 4


def test_two_installations_at_once_are_refused(run: ModuleType, fakes: Fakes) -> None:
    with run.one_at_a_time(), pytest.raises(run.Stop, match="Another"):
        run.ensure(())
    run.ensure(())
    assert len(fakes.pip) == 1


def test_what_is_needed_by_which_word(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, called = [], []
    monkeypatch.setattr(run, "ensure", lambda extras, bundle: asked.append(extras) or Path("python"))
    monkeypatch.setattr(run, "call", lambda command: called.append(command[1:]) or 3)
    monkeypatch.setattr(run.tests, "run", lambda python, words, call: call([python, "tests", *words]))
    monkeypatch.chdir(run.ROOT)
    for words in (["test", "-k", "x"], ["build", "--check"], ["bench"], ["grade", "in"], ["doctor"], ["commands"]):
        assert run.dispatch(words) == 3
    assert asked == [("test", "build", "classroom", "peers"), ("build",), ("peers",), ("classroom",), (), ()]
    assert called[0] == ["tests", "-k", "x"] and called[1] == ["-m", "sharedstate", "build", "--check"]
    assert called[-1] == ["-m", "sharedstate", "--help"]


def test_python_without_ensurepip_is_told_the_package(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = subprocess.CompletedProcess([], 1, stdout="ensurepip is not available")
    monkeypatch.setattr(run.subprocess, "run", lambda *a, **k: done)
    with pytest.raises(run.Stop, match="apt install python3-venv"):
        run.make_venv(run.ROOT / ".venv", "")


# --- bundles


def test_bundle_holds_all_extras_and_the_build_backend(run: ModuleType, fakes: Fakes, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "sharedstate-0.1.0-py3-none-any.whl").write_text("")
    run.bundle_into(str(wheels))
    (arguments,) = fakes.pip
    assert arguments[:2] == ["wheel", "-w"] and arguments[-2] == ".[test,build,classroom,peers]"
    assert arguments[-1].startswith("setuptools==")
    assert [path.name for path in wheels.iterdir()] == ["bundle.json"]
    run.ensure(("build",), str(wheels))
    assert fakes.pip[-1] == [
        "install", "-c", "requirements.lock", "--no-index", "--find-links", str(wheels), "-e", ".[build]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "said"), [("system", "another system"), ("python", "another Python"), ("pins", "another state")]
)
def test_bundle_for_something_else_is_refused(
    run: ModuleType, fakes: Fakes, tmp_path: Path, key: str, said: str
) -> None:
    run.bundle_into(str(tmp_path))
    note = json.loads((tmp_path / "bundle.json").read_text())
    (tmp_path / "bundle.json").write_text(json.dumps({**note, key: "other"}))
    with pytest.raises(run.Stop, match=said):
        run.ensure((), str(tmp_path))


def test_a_folder_that_is_no_bundle_is_refused_before_anything_is_made(
    run: ModuleType, fakes: Fakes, tmp_path: Path
) -> None:
    with pytest.raises(run.Stop, match="not a finished bundle"):
        run.ensure((), str(tmp_path / "nothing"))
    assert not fakes.made and not fakes.pip


def test_options_may_stand_before_or_after_the_word(run: ModuleType) -> None:
    assert run.split_options(["--no-venv", "lab", "01"]) == (["lab", "01"], True, "")
    assert run.split_options(["lab", "--bundle", "d", "01"]) == (["lab", "01"], False, "d")
    assert run.split_options(["--bundle=d", "test", "-x"]) == (["test", "-x"], False, "d")
    with pytest.raises(run.Stop, match="needs a folder"):
        run.split_options(["lab", "--bundle"])


# --- the end of a command


def test_exit_codes_are_passed_on(run: ModuleType) -> None:
    assert run.call([sys.executable, "-c", "raise SystemExit(7)"]) == 7


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
def test_a_killed_command_has_the_shells_code(run: ModuleType) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    assert run.call([sys.executable, "-c", code]) == 128 + signal.SIGTERM


def test_ctrl_c_is_left_to_the_command(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    class Child:
        """A process whose first wait is interrupted."""

        waits = 0

        def __init__(self, *args: object, **options: object) -> None: ...

        def wait(self) -> int:
            Child.waits += 1
            if Child.waits == 1:
                raise KeyboardInterrupt
            return 0

    monkeypatch.setattr(run.subprocess, "Popen", Child)
    assert run.call(["x"]) == 0 and Child.waits == 2


@pytest.mark.parametrize(
    ("problem", "code", "said"),
    [
        (KeyboardInterrupt(), 130, "Stopped"),
        (OSError(28, "No space left on device"), 1, "Make room"),
        (OSError(13, "Permission denied"), 1, "writable"),
    ],
)
def test_main_ends_quietly(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: BaseException,
    code: int,
    said: str,
) -> None:
    def fail(arguments: list[str]) -> int:
        raise problem

    monkeypatch.setattr(run, "dispatch", fail)
    assert run.main(["lab"]) == code
    assert said in capsys.readouterr().err


def test_no_word_prints_the_usage_and_installs_nothing(
    run: ModuleType, fakes: Fakes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main([]) == 0 and run.main(["--help"]) == 0
    assert "lab [UNIT]" in capsys.readouterr().out
    assert not fakes.made and not (run.ROOT / ".venv").exists()


def test_a_wrong_unit_is_said_before_anything_is_installed(
    run: ModuleType, fakes: Fakes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run.main(["lab", "77"]) == 1
    assert "No unit '77'" in capsys.readouterr().err and not fakes.pip
