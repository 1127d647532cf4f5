"""What is installed into .venv, from the internet or from a bundle, and pip's troubles in words.

Standard library only: run.py imports this before anything is installed.
"""

from __future__ import annotations

import json
import os
import platform
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from sharedstate.commands import venv as environment

EXTRAS = ("test", "build", "classroom", "peers")
DISK_SIGNS = ("No space left on device", "Errno 28", "Disk quota exceeded", "not enough space on the disk")
NETWORK_SIGNS = (
    "NewConnectionError", "NameResolutionError", "name resolution", "getaddrinfo failed", "Connection refused",
    "ConnectTimeoutError", "ReadTimeoutError", "Read timed out", "ProxyError", "Max retries exceeded",
    "Network is unreachable", "Connection reset", "ConnectionResetError", "SSLError",
)  # fmt: skip
QUIET = ("--disable-pip-version-check", "--no-input", "--progress-bar", "off")


class Stop(Exception):
    """Something the user has to know and do; its text is the whole message."""


def say(text: str) -> None:
    """Print one line at once (pip and Jupyter write to the same terminal)."""
    print(text, flush=True)


def fill(root: Path, stamp: dict[str, Any], extras: tuple[str, ...], wheels: Path | None) -> None:
    """Bring .venv up to the pins and these extras; the stamp says `installing` until everything is there."""
    venv = root / ".venv"
    entries = {"venv": str(venv), "python": environment.python_kind(), "extras": extras}
    environment.write_stamp(venv, {**entries, "state": "installing"})
    source = ["--no-index", "--find-links", str(wheels)] if wheels else []
    target = "." + ("[" + ",".join(extras) + "]" if extras else "")
    started = time.time()
    pip(root, ["install", "-c", "requirements.lock", *source, "-e", target])
    environment.write_stamp(venv, {**entries, "state": "done", "pins": environment.pins(root)})
    forget_downloads(root)
    say(f"Ready after {time.time() - started:.0f} s.")


def announce(root: Path, stamp: dict[str, Any], wanted: tuple[str, ...], offline: bool, fresh: bool) -> None:
    """Say what will be installed, how large it is and how long it may take."""
    if not fresh:
        new = [name for name in wanted if name not in stamp.get("extras", ())]
        why = "adds what is needed for: " + ", ".join(new) if stamp and new else "brings .venv to the exact pins"
        say(f"One more installation {why}.")
        return
    what = "JupyterLab, numpy, matplotlib, torch" + (" and for: " + ", ".join(wanted) if wanted else "")
    size = "about 0.3 GB; 1.5 GB on disk"
    if platform.system() == "Linux":
        size = "about 3 GB, since torch's Linux build brings CUDA; 5.5 GB on disk, 8 while it installs"
    say(f"First set-up in {root}: a virtual environment .venv with {what}.")
    say(
        "From the bundle: one to three minutes."
        if offline
        else f"Download: {size}. Two to five minutes on a fast line."
    )
    say("You can stop it with Ctrl-C; the next call goes on from there.")


# --- pip


def pip(root: Path, arguments: list[str]) -> None:
    """Run pip in .venv, show the large steps, keep the whole log in .run/pip.log, and explain a failure."""
    run = root / ".run"
    shutil.rmtree(run / "pip" / "tmp", ignore_errors=True)  # what an interrupted call left
    (run / "pip" / "tmp").mkdir(parents=True)
    folders = {name: str(run / "pip" / "tmp") for name in ("TMPDIR", "TEMP", "TMP")}
    process = subprocess.Popen(
        [str(environment.venv_python(root / ".venv")), "-m", "pip", arguments[0], *QUIET, *arguments[1:]],
        cwd=root,
        env={**os.environ, "PYTHONUTF8": "1", "PIP_CACHE_DIR": str(run / "pip" / "cache"), **folders},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    try:
        text = follow(process, run / "pip.log")
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if process.wait():
        explain_disk(text, root)
        explain_pip(text)


def follow(process: subprocess.Popen[str], log: Path) -> str:
    """Read pip's lines to the end, print those a person wants to see, and return all of them."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        for line in process.stdout or ():
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    seen: list[str] = []
    started = time.time()
    with open(log, "w", encoding="utf-8") as handle:
        while True:
            try:
                line = lines.get(timeout=15)
            except queue.Empty:
                say(f"  … still at it after {time.time() - started:.0f} s")
                continue
            if line is None:
                return "".join(seen)
            seen.append(line)
            handle.write(line)
            if worth_showing(line):
                say("  " + worth_showing(line))


def worth_showing(line: str) -> str:
    """Return the short form of a line of pip's that a person wants to see, or ''."""
    large = re.match(r"\s*Downloading (\S+?)-(\d\S*?)-\S+ \(([\d.]+ [MG]B)\)", line)
    if large:
        return "downloading {} {} ({})".format(*large.groups())
    if line.startswith("Installing collected packages:"):
        return f"installing {line.count(',') + 1} packages"
    return "no answer from the network, trying again" if "Retrying (" in line else ""


def forget_downloads(root: Path) -> None:
    """Delete what pip has downloaded: it is kept only while an interrupted installation could need it again."""
    shutil.rmtree(root / ".run" / "pip", ignore_errors=True)


def explain_disk(text: str, root: Path) -> None:
    """Raise Stop when `text` shows that the disk is full."""
    if any(sign in text for sign in DISK_SIGNS):
        free = shutil.disk_usage(root).free / 1e9
        raise Stop(
            f"The disk is full ({free:.1f} GB free). Make room and run the same command again.\n"
            "To give back everything the course installed, delete .venv and .run."
        )


def explain_pip(text: str) -> None:
    """Raise Stop with the reason why pip failed."""
    if any(sign in text for sign in NETWORK_SIGNS):
        raise Stop(
            "The packages could not be downloaded: no network, or a firewall or proxy in between.\n"
            "Check the connection and run the same command again. Behind a proxy, set HTTPS_PROXY first.\n"
            "Without internet, use a folder made by `python run.py bundle DIR` elsewhere: --bundle DIR"
        )
    last = [line.rstrip() for line in text.splitlines() if line.strip()][-12:]
    raise Stop("pip failed; the whole log is in .run/pip.log. Its end:\n  " + "\n  ".join(last))


# --- a room without internet


def collect(root: Path, folder: str) -> None:
    """Collect every package, of all extras and of the build itself, as wheels in `folder`, with pip from .venv."""
    wheels = Path(folder).expanduser().resolve()
    wheels.mkdir(parents=True, exist_ok=True)
    say(f"Collects all packages in {wheels} (on Linux about 3 GB, elsewhere about 0.5 GB).")
    builder = project(root)["build-system"]["requires"]
    pip(root, ["wheel", "-w", str(wheels), "-c", "requirements.lock", ".[" + ",".join(EXTRAS) + "]", *builder])
    for own in wheels.glob("sharedstate-*.whl"):
        own.unlink()  # the course itself is installed from its folder, never from a copy
    (wheels / "bundle.json").write_text(json.dumps(note(root)), encoding="utf-8")
    forget_downloads(root)
    say(
        "Done. Copy the folder to a machine of the same system and Python, then there:\n"
        "  python run.py lab --bundle DIR"
    )


def note(root: Path) -> dict[str, str]:
    """Return what must be equal where a bundle is made and where it is used."""
    return {"system": platform.system(), "python": environment.python_kind(), "pins": environment.pins(root)}


def check_bundle(root: Path, folder: str) -> Path | None:
    """Return the bundle's folder (None without one), or stop when it cannot serve here."""
    if not folder:
        return None
    wheels = Path(folder).expanduser().resolve()
    try:
        found = json.loads((wheels / "bundle.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Stop(f"{wheels} is not a finished bundle. Make one with: python run.py bundle DIR") from None
    here = note(root)
    for key, what in (
        ("system", "another system"), ("python", "another Python"), ("pins", "another state of the course"),
    ):  # fmt: skip
        if found.get(key) != here[key]:
            detail = "" if key == "pins" else f" ({found.get(key)}; here {here[key]})"
            raise Stop(f"The bundle in {wheels} is for {what}{detail}. Make one that fits.")
    return wheels


# --- conda: no .venv


def check_current(root: Path, extras: tuple[str, ...]) -> Path:
    """Check that the running interpreter has what is needed; nothing is installed."""
    described = project(root)["project"]
    wanted = list(described["dependencies"])
    for extra in extras:
        wanted += described["optional-dependencies"][extra]
    lacking, other = [], []
    for line in wanted:
        name, pin = line.split(";")[0].strip().split("==")
        try:
            found = version(name).split("+")[0]
        except PackageNotFoundError:
            if ";" not in line:
                lacking.append(name)
            continue
        if found != pin:
            other.append(f"{name} {found} (pinned: {pin})")
    if subprocess.run([sys.executable, "-c", "import sharedstate"], stderr=subprocess.DEVNULL).returncode:
        lacking.append("sharedstate")
    if lacking:
        target = ".[" + ",".join(extras) + "]" if extras else "."
        raise Stop(
            f"This Python ({sys.executable}) lacks: {', '.join(lacking)}.\n"
            "With conda: conda env create -f environment.yml, then conda activate sharedstate.\n"
            f'What is missing: python -m pip install -c requirements.lock -e "{target}"'
        )
    if other:
        say("Not the pinned versions, so results may differ: " + ", ".join(other))
    return Path(sys.executable)


def project(root: Path) -> dict[str, Any]:
    """Return what pyproject.toml says."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
