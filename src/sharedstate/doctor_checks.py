"""The quick checks of `doctor`: each looks at one thing and returns a Finding."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from sharedstate import paths
from sharedstate.doctor import Finding

OLDEST, NEWEST = (3, 11), (3, 14)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
BROWSER_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
GIB = 1 << 30


def python(running: tuple[int, ...] = tuple(sys.version_info[:3])) -> Finding:
    """Check the interpreter: CPython 3.11 to 3.14."""
    kind = platform.python_implementation()
    found = f"{kind} {'.'.join(map(str, running))}, {platform.system()} {platform.machine()}"
    if running[:2] < OLDEST or kind != "CPython":
        return Finding("Python", "problem", found, "Install CPython 3.11 or newer and start run.py with it.")
    if running[:2] > NEWEST:
        return Finding("Python", "warning", found, "The course is tested on 3.11 to 3.14: use one of these.")
    return Finding("Python", "ok", found)


def gil() -> Finding:
    """Say whether this interpreter has its lock; both are fine, the lessons show different numbers."""
    if getattr(sys, "_is_gil_enabled", lambda: True)():
        return Finding("GIL", "ok", f"on, switch interval {sys.getswitchinterval() * 1000:g} ms")
    return Finding(
        "GIL", "note", "off (free-threaded): races are far more frequent than the lessons' recorded ones"
    )


def machine() -> Finding:
    """Count cores and memory."""
    import psutil

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = psutil.virtual_memory()
    found = f"{cores} cores, {memory.total / GIB:.1f} GiB memory, {memory.available / GIB:.1f} free"
    if memory.available < GIB:
        return Finding(
            "machine", "warning", found, "Close other programs: a kernel with torch takes 0.4 GiB."
        )
    return Finding("machine", "ok", found)


def disk() -> Finding:
    """Check that the learner's folder can be written and that there is room."""
    try:
        home = paths.root()
    except paths.CheckoutNotFound as problem:
        return Finding("folder", "problem", "not found", str(problem))
    place = paths.my_labs() if paths.my_labs().is_dir() else paths.my_labs().parent
    if not os.access(place, os.W_OK):
        return Finding(
            "folder", "problem", f"{place} cannot be written", "Move the course to a folder of your own."
        )
    free = shutil.disk_usage(place).free / GIB
    if free < 1:
        return Finding(
            "folder", "warning", f"{home}, {free:.1f} GiB free", "Make room: saved work could be lost."
        )
    return Finding("folder", "ok", f"{home}, {free:.0f} GiB free")


def versions(lock: str | None = None) -> Finding:
    """Compare what is installed with requirements.lock (or with the text given); local parts do not count."""
    text = lock if lock is not None else (paths.root() / "requirements.lock").read_text(encoding="utf-8")
    wanted = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.M))
    found = {name: installed(name) for name in wanted}
    other = [
        f"{name} {found[name]} (pinned: {pin})"
        for name, pin in wanted.items()
        if found[name] not in ("", pin)
    ]
    missing = [name for name in direct() if not installed(name)]
    remedy = f'"{sys.executable}" -m pip install -c requirements.lock -e .'
    if missing:
        return Finding("packages", "problem", f"not installed: {', '.join(missing)}", remedy)
    if other:
        shown = ", ".join(other[:4]) + (f" and {len(other) - 4} more" if len(other) > 4 else "")
        return Finding("packages", "warning", f"not the pinned versions: {shown}", remedy)
    return Finding("packages", "ok", f"{sum(map(bool, found.values()))} installed, all at their pins")


def installed(name: str) -> str:
    """Return a distribution's version without its local part, or '' when it is not there."""
    try:
        return version(name).split("+")[0]
    except PackageNotFoundError:
        return ""


def direct() -> list[str]:
    """Return the names of the packages that a learner needs."""
    import tomllib

    project = tomllib.loads((paths.root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[\s=;<>\[]", line)[0] for line in project["dependencies"]]


def extras() -> Finding:
    """Say which of the optional parts are there; run.py installs them when a command needs them."""
    import tomllib

    project = tomllib.loads((paths.root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    words = []
    for extra, lines in project["optional-dependencies"].items():
        names = [re.split(r"[\s=;]", line)[0] for line in lines if ";" not in line]
        words.append(f"{extra} {'yes' if all(map(installed, names)) else 'no'}")
    return Finding("extras", "note", ", ".join(words) + " (run.py adds one when a command needs it)")


def widgets() -> Finding:
    """Check that JupyterLab will show sliders and buttons: the extension is there and not switched off."""
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    extension = "@jupyter-widgets/jupyterlab-manager"
    there = [p for p in jupyter_path("labextensions") if (Path(p) / extension / "package.json").is_file()]
    if not installed("ipywidgets") or not there:
        remedy = (
            f'"{sys.executable}" -m pip install --force-reinstall --no-deps ipywidgets jupyterlab_widgets'
        )
        return Finding("widgets", "problem", "ipywidgets or its JupyterLab part is missing", remedy)
    for folder in jupyter_config_path():
        page = Path(folder) / "labconfig" / "page_config.json"
        if extension in switched_off(page):
            return Finding(
                "widgets", "problem", f"switched off in {page}", f"jupyter labextension enable {extension}"
            )
    return Finding("widgets", "ok", f"ipywidgets {installed('ipywidgets')}, enabled in JupyterLab")


def switched_off(page: Path) -> set[str]:
    """Return the JupyterLab extensions that a page_config.json disables; without a readable file, none."""
    try:
        disabled = json.loads(page.read_text(encoding="utf-8")).get("disabledExtensions", {})
    except (OSError, ValueError, AttributeError):
        return set()
    return {name for name, off in disabled.items() if off} if isinstance(disabled, dict) else set(disabled)


def find_browser() -> str:
    """Return a Chromium, Chrome or Edge to drive in tests (SHAREDSTATE_BROWSER names one), or ''."""
    named = os.environ.get("SHAREDSTATE_BROWSER")
    found = [named] if named else [shutil.which(name) for name in BROWSERS]
    return next(filter(None, [*found, *(place for place in BROWSER_PLACES if Path(place).is_file())]), "")


def browser() -> Finding:
    """Look for a browser that the tests can drive; JupyterLab itself works with any."""
    found = find_browser()
    if found:
        return Finding("browser", "ok", found)
    remedy = "JupyterLab works in any browser; the browser tests need one of these: sudo apt install chromium"
    return Finding("browser", "warning", "no Chromium, Chrome or Edge found", remedy)


ALL = (python, gil, machine, disk, versions, extras, widgets, browser)
