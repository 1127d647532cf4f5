"""JupyterLab: which notebook, which port, loopback only, no pop-up and no grader's menus."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from sharedstate.commands import lab
from sharedstate.commands.install import Stop


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a checkout of two built units, and one that is not."""
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "pyproject.toml").write_text("")
    for unit in ("00_start_here", "01_passcode_race", "02_not_built"):
        (tmp_path / "course" / unit).mkdir(parents=True)
    for unit in ("00_start_here", "01_passcode_race"):
        (tmp_path / "notebooks" / f"{unit}.ipynb").write_text("{}")
    monkeypatch.setenv("SHAREDSTATE_HOME", str(tmp_path))
    return tmp_path


def test_a_unit_that_is_not_built_names_the_remedy(root: Path) -> None:
    with pytest.raises(Stop, match=r"notebooks/02_not_built.ipynb is not built: `python run.py build 02`"):
        lab.find_notebook(root, "2")


@pytest.mark.parametrize("word", ["01", "1", "01_passcode_race", "01_passcode_race/"])
def test_units_are_found_by_number_or_name(root: Path, word: str) -> None:
    assert lab.find_notebook(root, word).name == "01_passcode_race.ipynb"
    assert lab.find_notebook(root, "").name == "00_start_here.ipynb"


@pytest.mark.parametrize("word", ["77", "passcode", ".."])
def test_an_unknown_unit_lists_what_there_is(root: Path, word: str) -> None:
    with pytest.raises(Stop, match="Units: 00_start_here, 01_passcode_race"):
        lab.find_notebook(root, word)


def test_ports() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(Stop, match=f"Port {port} is taken"):
            lab.choose_port(port)
    assert lab.choose_port(port) == port
    assert lab.choose_port(0) > 0
    with pytest.raises(Stop, match="99999"):
        lab.choose_port(99999)


def test_lab_listens_on_loopback_with_its_token(root: Path) -> None:
    wanted = lab.asked(root, ["01", "--no-browser", "--port", "0"])
    command = lab.command(root, Path("python"), wanted)
    assert "--ServerApp.ip=127.0.0.1" in command and "--no-browser" in command
    assert f"--ServerApp.port={wanted.port}" in command and f"--ServerApp.root_dir={root}" in command
    assert "--LabApp.default_url=/lab/tree/notebooks/01_passcode_race.ipynb" in command
    assert not any("token" in part.lower() or "password" in part.lower() for part in command)
    assert "--no-browser" not in lab.command(root, Path("python"), lab.asked(root, []))


def test_every_place_that_is_written_lies_in_the_checkout(root: Path) -> None:
    environment = lab.course_environment(root, {"PATH": "here"})
    assert environment.pop("PATH") == "here"
    assert all(Path(place).is_relative_to(root) for place in environment.values())


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


def test_nbgrader_stays_out_of_the_learners_lab_and_the_news_stay_away(root: Path) -> None:
    lab.write_settings(root / ".run" / "jupyter")
    environment = lab.course_environment(root, os.environ)
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


def test_a_name_that_is_missing_after_a_restart_is_explained_before_any_cell_of_the_lab(root: Path) -> None:
    lab.write_settings(root / ".run" / "jupyter")
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("class Mine(torch.nn.Module):\n    pass")])
    environment = lab.course_environment(root, os.environ)
    NotebookClient(book, timeout=120, allow_errors=True, kernel_name="python3").execute(env=environment)
    told = "".join(out.get("text", "") for out in book.cells[0].outputs)
    assert "`torch` is not there" in told and "run the cells above first" in told


def test_a_setting_that_the_learner_changed_is_left_alone(root: Path) -> None:
    lab.write_settings(root / ".run" / "jupyter")
    page = root / ".run" / "jupyter" / "config" / "labconfig" / "page_config.json"
    page.write_text("{}")
    lab.write_settings(root / ".run" / "jupyter")
    assert page.read_text() == "{}"
