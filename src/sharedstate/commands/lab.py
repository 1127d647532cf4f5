"""JupyterLab for the course: its settings stay in this folder, it listens on 127.0.0.1 only, with its token.

Standard library only: run.py asks here what is wanted before anything is installed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sharedstate import paths
from sharedstate.commands.install import Stop

START_PAGE = "00_start_here"
NBGRADER = ("formgrader", "validate_assignment", "assignment_list", "course_list")
OTHER_PORTS = 30  # to try, when somebody takes the free one before JupyterLab does


def course_environment(root: Path, base: Mapping[str, str]) -> dict[str, str]:
    """Return `base` with every writer of settings, histories and caches pointed into .run in this folder."""
    run, jupyter = root / ".run", root / ".run" / "jupyter"
    places = {
        "JUPYTER_CONFIG_DIR": jupyter / "config",
        "JUPYTER_DATA_DIR": jupyter / "data",
        "JUPYTER_RUNTIME_DIR": jupyter / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": jupyter / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": jupyter / "workspaces",
        "IPYTHONDIR": run / "ipython",
        "MPLCONFIGDIR": run / "matplotlib",
        "TORCH_HOME": run / "torch",
        "HF_HOME": run / "huggingface",
        "HYPOTHESIS_STORAGE_DIRECTORY": run / "hypothesis",
    }
    return {**base, **{name: str(place) for name, place in places.items()}, "SHAREDSTATE_HOME": str(root)}


def settings() -> dict[str, dict[str, object]]:
    """Return {file under .run/jupyter: its content}: no news pop-up, none of nbgrader's menus."""
    off = {f"nbgrader.server_extensions.{name}": False for name in NBGRADER}
    return {
        "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings": {
            "fetchNews": "false",
            "checkForUpdates": False,
        },
        "config/jupyter_server_config.json": {"ServerApp": {"jpserver_extensions": off}},
        "config/labconfig/page_config.json": {"disabledExtensions": {"@jupyter/nbgrader": True}},
    }


# A notebook's first cell tells a missing name apart from a slip; after a restart it may not be the first to run.
STARTUP = """\
try:
    from sharedstate.checks.lab import warn_when_hidden as _course_watches
    _course_watches()
    del _course_watches
except ImportError:  # a kernel of another environment
    pass
"""


def setting_files(jupyter: Path) -> dict[Path, str]:
    """Return {file: text} of the settings below this folder, and of what every kernel runs, in ipython/ beside it."""
    startup = jupyter.parent / "ipython" / "profile_default" / "startup" / "00-course.py"
    texts = {jupyter / name: json.dumps(content, indent=2) + "\n" for name, content in settings().items()}
    return {**texts, startup: STARTUP}


def write_settings(jupyter: Path) -> None:
    """Write the settings below this folder; a choice that the learner made later is left alone."""
    for path, text in setting_files(jupyter).items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Asked:
    """What a call of `lab` wants: the notebook, a free port, and whether a browser is opened."""

    notebook: Path
    port: int
    retries: int
    browser: bool


def asked(root: Path, arguments: list[str]) -> Asked:
    """Read the words behind `lab`. Raises Stop for a unit or a port that cannot be had."""
    parser = argparse.ArgumentParser(prog="run.py lab", description="Open JupyterLab at the start page or at a unit.")
    parser.add_argument("unit", nargs="?", default="", help="a unit's number or name, for example 01")
    parser.add_argument("--no-browser", action="store_true", help="print the address instead of opening a browser")
    parser.add_argument("--port", type=int, default=0, help="a port of your own choice")
    chosen = parser.parse_args(arguments)
    retries = 0 if chosen.port else OTHER_PORTS
    return Asked(find_notebook(root, chosen.unit), choose_port(chosen.port), retries, not chosen.no_browser)


def find_notebook(root: Path, unit: str) -> Path:
    """Return the lesson that UNIT names ('' is the start page), or stop and say what there is."""
    try:
        name = paths.resolve_unit(unit or START_PAGE)
    except ValueError as problem:
        raise Stop(str(problem)) from None
    notebook = root / "notebooks" / f"{name}.ipynb"
    if not notebook.is_file():
        raise Stop(f"notebooks/{name}.ipynb is not built: `python run.py build {name[:2]}` makes it.")
    return notebook


def choose_port(wanted: int) -> int:
    """Return a free port on 127.0.0.1: the wanted one, or (0: no wish) the first free one from 8888 on."""
    for port in [wanted] if wanted else [*range(8888, 8920), 0]:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            if os.name != "nt":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError, OverflowError):
                probe.bind(("127.0.0.1", port))
                return probe.getsockname()[1]
    raise Stop(f"Port {wanted} is taken, or not allowed. Leave --port out, or choose another.")


def command(root: Path, python: Path, wanted: Asked) -> list[str]:
    """Return the command that starts JupyterLab on a notebook: loopback only, with its token."""
    page = "/lab/tree/" + wanted.notebook.relative_to(root).as_posix()
    options = [
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={wanted.port}",
        f"--ServerApp.port_retries={wanted.retries}",
        f"--ServerApp.root_dir={root}",
        "--LabApp.default_url=" + page,
        "--ServerApp.answer_yes=True",
        "--ServerApp.log_level=WARN",
        "--LabApp.log_level=WARN",
    ]
    if not wanted.browser:
        options.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    return [str(python), "-m", "jupyterlab", *options]
