"""run.py: what it installs and when, what it says when something is wrong, how it starts JupyterLab."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import signal
import socket
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
    spec.loader.exec_module(module)
    folder = tmp_path / "checkout"
    (folder / "notebooks").mkdir(parents=True)
    for name in ("pyproject.toml", "requirements.lock"):
        shutil.copy(HOME / name, folder / name)
    for unit in ("00_start_here", "01_passcode_race"):
        (folder / "notebooks" / f"{unit}.ipynb").write_text("{}")
    monkeypatch.setattr(module, "ROOT", folder)
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

    def make_venv(venv: Path, reason: str) -> None:
        record.made.append(reason)
        shutil.rmtree(venv, ignore_errors=True)
        python = run.venv_python(venv)
        python.parent.mkdir(parents=True)
        python.write_text("")
        (venv / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).parent}\n")

    def pip(venv: Path, arguments: list[str]) -> None:
        record.pip.append(arguments)
        if record.fail:
            raise record.fail

    monkeypatch.setattr(run, "make_venv", make_venv)
    monkeypatch.setattr(run, "pip", pip)
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
    tree = ast.parse((HOME / "run.py").read_text(encoding="utf-8"))
    names = {
        alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names
    }
    names |= {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert names <= set(sys.stdlib_module_names)


# --- what is installed, and when


def test_first_call_installs_the_pins_and_the_second_nothing(run: ModuleType, fakes: Fakes) -> None:
    run.ensure(())
    run.ensure(())
    assert fakes.made == [""]
    assert fakes.pip == [["install", "-c", "requirements.lock", "-e", "."]]
    assert run.read_stamp(run.ROOT / ".venv")["state"] == "done"


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
    run.venv_python(venv).unlink()
    return "no working Python"


def spoil_home(run: ModuleType, venv: Path) -> str:
    (venv / "pyvenv.cfg").write_text("home = /not/there\n")
    return "made from is gone"


def spoil_place(run: ModuleType, venv: Path) -> str:
    run.write_stamp(venv, {**run.read_stamp(venv), "venv": "/elsewhere/.venv"})
    return "copied or moved"


def spoil_version(run: ModuleType, venv: Path) -> str:
    run.write_stamp(venv, {**run.read_stamp(venv), "python": "3.10 x86_64"})
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
    monkeypatch.setattr(run, "foreign", lambda venv: "")
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
    monkeypatch.setattr(run, "foreign", lambda venv: "")
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
    monkeypatch.chdir(run.ROOT)
    for words in (["test", "-k", "x"], ["build", "--check"], ["bench"], ["doctor"], ["commands"]):
        assert run.dispatch(words) == 3
    assert asked == [("test", "build", "classroom", "peers"), ("build",), ("peers",), (), ()]
    assert called[0] == ["-m", "pytest", "-k", "x"] and called[1] == ["-m", "sharedstate", "build", "--check"]
    assert called[-1] == ["-m", "sharedstate", "--help"]


# --- pip's troubles in words


@pytest.fixture
def real_pip(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Return a function that runs run.pip on a program that prints a text and exits with a code."""
    module = tmp_path / "shadow" / "pip"
    module.mkdir(parents=True)
    (module / "__init__.py").write_text("")
    (module / "__main__.py").write_text(
        "import os, sys\nprint(os.environ['SAY'])\nprint('ARGS', *sys.argv[1:])\n"
        "print('CACHE', os.environ['PIP_CACHE_DIR'], os.environ['TMPDIR'])\n"
        "sys.exit(int(os.environ['CODE']))\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(module.parent))
    monkeypatch.setattr(run, "venv_python", lambda venv: Path(sys.executable))

    def go(text: str, code: int) -> None:
        monkeypatch.setenv("SAY", text)
        monkeypatch.setenv("CODE", str(code))
        run.pip(run.ROOT / ".venv", ["install", "-e", "."])

    return go


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "disk is full",
        ),
        ("Retrying (Retry(total=0)) after: 'NewConnectionError(...)'", "no network"),
        (
            "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution",
            "no network",
        ),
        ("ERROR: No matching distribution found for torch==2.13.0", "No matching distribution"),
    ],
)
def test_pip_failures_are_explained(
    run: ModuleType, real_pip: Callable[[str, int], None], text: str, said: str
) -> None:
    with pytest.raises(run.Stop, match=said):
        real_pip(text, 1)


def test_pip_success_is_quiet_about_warnings(run: ModuleType, real_pip: Callable[[str, int], None]) -> None:
    (run.ROOT / ".run" / "pip" / "tmp").mkdir(parents=True)
    (run.ROOT / ".run" / "pip" / "tmp" / "left").write_text("by an interrupted call")
    real_pip("Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'", 0)
    assert not list((run.ROOT / ".run" / "pip" / "tmp").iterdir())
    log = (run.ROOT / ".run" / "pip.log").read_text()
    assert "ARGS install --disable-pip-version-check --no-input --progress-bar off -e ." in log
    cache = next(line for line in log.splitlines() if line.startswith("CACHE")).split()[1:]
    assert all(Path(place).is_relative_to(run.ROOT) for place in cache)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("  Downloading torch-2.13.0-cp311-cp311-x.whl (526.6 MB)\n", "downloading torch 2.13.0 (526.6 MB)"),
        ("  Downloading click-8.5.1-py3-none-any.whl.metadata (2.6 kB)\n", ""),
        ("Installing collected packages: a, b, c\n", "installing 3 packages"),
        ("Collecting click==8.5.1\n", ""),
    ],
)
def test_what_is_shown_of_pips_lines(run: ModuleType, line: str, shown: str) -> None:
    assert run.worth_showing(line) == shown


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
    run.make_bundle(str(wheels))
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
    run.make_bundle(str(tmp_path))
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


# --- conda


def test_no_venv_names_what_is_missing_and_both_remedies(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    from importlib import metadata

    real = metadata.version
    assert run.check_current(()) == Path(sys.executable)

    def without_torch(name: str) -> str:
        if name == "torch":
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", without_torch)
    with pytest.raises(run.Stop, match="lacks: torch") as stop:
        run.check_current(("test",))
    assert "conda env create -f environment.yml" in str(stop.value) and '".[test]"' in str(stop.value)


def test_no_venv_says_when_versions_differ(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0.0.1+cpu")
    run.check_current(())
    assert "numpy 0.0.1 (pinned: 2.4.6)" in capsys.readouterr().out


# --- JupyterLab


@pytest.mark.parametrize("word", ["01", "1", "01_passcode_race", "01_passcode_race/"])
def test_units_are_found_by_number_or_name(run: ModuleType, word: str) -> None:
    assert run.find_notebook(word).name == "01_passcode_race.ipynb"
    assert run.find_notebook("").name == "00_start_here.ipynb"


@pytest.mark.parametrize("word", ["77", "passcode", ".."])
def test_an_unknown_unit_lists_what_there_is(run: ModuleType, word: str) -> None:
    with pytest.raises(run.Stop, match="Units: 00_start_here, 01_passcode_race"):
        run.find_notebook(word)


def test_ports(run: ModuleType) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(run.Stop, match=f"Port {port} is taken"):
            run.choose_port(port)
    assert run.choose_port(port) == port
    assert run.choose_port(0) > 0
    with pytest.raises(run.Stop, match="99999"):
        run.choose_port(99999)


def test_lab_listens_on_loopback_with_its_token(run: ModuleType) -> None:
    command = run.lab_command(Path("python"), run.find_notebook("01"), 8890, 0, browser=False)
    assert "--ServerApp.ip=127.0.0.1" in command and "--no-browser" in command
    assert "--LabApp.default_url=/lab/tree/notebooks/01_passcode_race.ipynb" in command
    assert not any("token" in str(part).lower() or "password" in str(part).lower() for part in command)
    assert "--no-browser" not in run.lab_command(
        Path("python"), run.find_notebook("01"), 8890, 0, browser=True
    )


def test_every_place_that_is_written_lies_in_the_checkout(run: ModuleType) -> None:
    environment = run.course_environment({"PATH": "here"})
    assert environment.pop("PATH") == "here"
    assert all(Path(place).is_relative_to(run.ROOT) for place in environment.values())


PROBE = """
import json
from jupyter_core.paths import jupyter_path
from jupyter_server.serverapp import ServerApp
from jupyterlab_server.config import get_page_config
app = ServerApp()
app.initialize(argv=["--allow-root"], find_extensions=True, new_httpserver=False)
print(json.dumps({
    "lab": get_page_config(jupyter_path("labextensions"))["disabledExtensions"],
    "server": {name: package.enabled for name, package in app.extension_manager.extensions.items()},
}))
"""


def test_nbgrader_stays_out_of_the_learners_lab_and_the_news_stay_away(run: ModuleType) -> None:
    run.write_jupyter_settings()
    environment = run.course_environment(dict(os.environ))
    done = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment, capture_output=True, text=True, check=True
    )
    seen = json.loads(done.stdout.splitlines()[-1])
    assert "@jupyter/nbgrader" in seen["lab"]
    graders = {name: on for name, on in seen["server"].items() if name.startswith("nbgrader")}
    assert len(graders) == 4 and not any(graders.values())
    assert seen["server"]["jupyterlab"]
    settings = Path(environment["JUPYTERLAB_SETTINGS_DIR"])
    news = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    assert json.loads(news.read_text())["fetchNews"] == "false"


def test_a_setting_that_the_learner_changed_is_left_alone(run: ModuleType) -> None:
    run.write_jupyter_settings()
    page = run.ROOT / ".run" / "jupyter" / "config" / "labconfig" / "page_config.json"
    page.write_text("{}")
    run.write_jupyter_settings()
    assert page.read_text() == "{}"


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
