"""The doctor: what this machine has, what it lacks, and the remedy for each thing that it lacks.

Quick checks look at one thing each. Slow ones, a kernel's start and torch's import, run in a process of their own.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from sharedstate import devices, paths
from sharedstate.commands import npm
from sharedstate.commands.talk import friendly, print_json

WIDTH = 100  # columns of the report
STATES = ("ok", "note", "warning", "problem")
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
PATIENCE = 60  # seconds
KERNEL = """
import json, time
started = time.perf_counter()
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(startup_timeout=50)
try:
    reply = client.execute_interactive("import sharedstate", timeout=30, output_hook=lambda message: None)
    answer = {"status": reply["content"]["status"], "error": reply["content"].get("evalue", "")}
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
print(json.dumps({**answer, "seconds": time.perf_counter() - started}))
"""
TORCH = """
import json, torch
cuda = torch.cuda.is_available()
print(json.dumps({"version": torch.__version__, "cuda": torch.cuda.get_device_name(0) if cuda else "",
                  "built": torch.version.cuda or "", "threads": torch.get_num_threads()}))
"""
WITHOUT = "GPU cells run small on the CPU here and say so"


@dataclass(frozen=True)
class Finding:
    """One line of the report. `state`: ok, note, warning (the course works), problem (it does not)."""

    name: str
    state: str
    found: str
    remedy: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the finding as plain data."""
        return asdict(self)


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
    return [re.split(r"[\s=;<>\[]", line)[0] for line in project()["dependencies"]]


def project() -> dict[str, Any]:
    """Return what pyproject.toml says of the package."""
    return tomllib.loads((paths.root() / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def extras() -> Finding:
    """Say which of the optional parts are there; run.py installs them when a command needs them."""
    words = []
    for extra, lines in project()["optional-dependencies"].items():
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


def grading() -> Finding:
    """Look for the program that keeps submissions apart; only `grade` needs it."""
    found = shutil.which("bwrap")
    if found:
        return Finding("grading", "ok", f"submissions are kept apart by {found}")
    remedy = "Only `grade` needs it, for notebooks that you do not trust. On Linux: sudo apt install bubblewrap"
    return Finding("grading", "note", "no bubblewrap: submissions are not kept apart", remedy)


def npm_parts() -> Finding:
    """Look for Node and npm; only the words that need a part of npm/ need them."""
    parts = [path.parent.name for path in sorted((paths.root() / "npm").glob("*/package.json"))]
    there = ", ".join(f"{part} {'yes' if npm.ready(part) else 'no'}" for part in parts)
    lacking = [name for name in ("node", "npm") if not shutil.which(name)]
    if lacking:
        remedy = "Only `hub` and the course's web site need it. On Debian: sudo apt install nodejs npm"
        return Finding("npm", "note", f"no {' and no '.join(lacking)}; parts: {there}", remedy)
    return Finding("npm", "ok", f"{shutil.which('npm')}; parts: {there} (a command that needs one installs it)")


class Probe:
    """A child Python that prints one JSON object; started at once, asked later."""

    def __init__(self, code: str, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._folder = tempfile.TemporaryDirectory()
        runtime = {"JUPYTER_RUNTIME_DIR": self._folder.name}  # a connection file that goes away with the probe
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **runtime},
        )

    def answer(self) -> dict[str, Any]:
        """Wait for the answer; {"failed": why} when there is none."""
        try:
            out, err = self._process.communicate(timeout=self.patience)
            return json.loads(out.splitlines()[-1])
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            return {"failed": f"no answer within {self.patience:g} s"}
        except (IndexError, ValueError):
            return {"failed": (err.strip().splitlines() or [f"exit code {self._process.returncode}"])[-1]}
        finally:
            self._folder.cleanup()


def kernel(answer: dict[str, Any]) -> Finding:
    """Judge what the kernel's probe said."""
    failed = answer.get("failed") or (answer.get("status") != "ok" and (answer.get("error") or "no reply"))
    if failed:
        remedy = (
            f'"{sys.executable}" -m pip install --force-reinstall --no-deps ipykernel jupyter_client pyzmq'
        )
        return Finding("kernel", "problem", f"does not start: {failed}", remedy)
    return Finding("kernel", "ok", f"starts and imports the course, {answer['seconds']:.1f} s")


def kernel_unasked() -> Finding:
    """Say that no kernel was started."""
    return Finding("kernel", "note", "not started (--quick)")


def torch(answer: dict[str, Any]) -> list[Finding]:
    """Judge what torch's probe said: the package, and what GPU cells will do."""
    if "failed" in answer:
        remedy = f'"{sys.executable}" -m pip install --force-reinstall -c requirements.lock torch'
        return [Finding("torch", "problem", f"cannot be imported: {answer['failed']}", remedy)]
    package = Finding("torch", "ok", f"{answer['version']}, {answer['threads']} threads")
    if answer["cuda"]:
        return [package, Finding("GPU", "ok", f"{answer['cuda']}: GPU cells run there")]
    why = "no CUDA device" if answer["built"] else "torch without CUDA"
    return [package, Finding("GPU", "note", f"{why}: {WITHOUT}; {devices.summary()}")]


def torch_unasked() -> Finding:
    """Say what is known of torch without importing it."""
    return Finding("torch", "note", f"{installed('torch') or 'not installed'}, not imported (--quick)")


def examine(quick: bool = False) -> list[Finding]:
    """Look at everything. `quick` leaves out what takes seconds: a kernel's start and torch's import."""
    running = () if quick else (Probe(KERNEL), Probe(TORCH))
    checks = (python, gil, machine, disk, versions, extras, widgets, browser, grading, npm_parts)
    findings = [check() for check in checks]
    if quick:
        return [*findings, kernel_unasked(), torch_unasked()]
    started, imported = (probe.answer() for probe in running)
    return [*findings, kernel(started), *torch(imported)]


def healthy(findings: list[Finding]) -> bool:
    """Say whether nothing stops the course."""
    return not any(finding.state == "problem" for finding in findings)


def report(findings: list[Finding]) -> str:
    """Return the findings as text, each remedy under its finding."""
    lines = []
    for finding in findings:
        head, under = f"{finding.state:8} {finding.name:10} ", " " * 20
        lines += textwrap.wrap(finding.found, WIDTH, initial_indent=head, subsequent_indent=under)
        if finding.remedy:
            lines.append(f"{under}-> {finding.remedy}")  # in one piece: it may be a command to copy
    counts = {state: sum(finding.state == state for finding in findings) for state in STATES}
    if counts["problem"]:
        lines.append(f"\n{counts['problem']} problem(s) stop the course: see the arrows.")
    else:
        lines.append("\nThe course works here." + (" See the warnings." if counts["warning"] else ""))
    return "\n".join(lines)


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print findings as JSON.")
@click.option("--quick", is_flag=True, help="Leave out what takes seconds: a kernel's start, torch's import.")
@friendly
def command(as_json: bool, quick: bool) -> None:
    """Show what this machine has, and how to get what is missing."""
    findings = examine(quick=quick)
    if as_json:
        print_json({"ok": healthy(findings), "findings": [finding.as_dict() for finding in findings]})
    else:
        click.echo(report(findings))
    sys.exit(0 if healthy(findings) else 1)
