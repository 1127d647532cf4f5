"""What comes from npm: a folder npm/<part>/ names it and locks it, and it is installed into .run/npm/<part>/.

Standard library only. Node and npm come from the system; everything else stays in a folder that git ignores.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from sharedstate import paths
from sharedstate.files import file_lock

OLDEST = 20  # Node's oldest major version
PATIENCE = 600.0  # seconds for an installation, our own or another process's
REMEDY = (
    f"Install Node.js {OLDEST} or newer with npm (Debian: apt-get install nodejs npm; elsewhere: nodejs.org), "
    "then run the same command again."
)
NEEDED = ("package.json", "package-lock.json")
DONE = "installed"  # the file that holds the hash of what was installed


class NpmTrouble(RuntimeError):
    """Something from npm cannot be had; the message says what to do."""


def node_version() -> str:
    """Return Node's version, as in "20.20.2"; "" when there is none, or none that runs."""
    found = shutil.which("node")
    if found is None:
        return ""
    try:
        said = subprocess.run([found, "--version"], capture_output=True, text=True, timeout=20).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return said.strip().removeprefix("v")


def lacking() -> str:
    """Return what is missing on this machine to install or run anything from npm, "" for nothing."""
    version = node_version()
    if not version:
        return "Node.js is not installed."
    if int(re.match(r"\d*", version)[0] or 0) < OLDEST:  # type: ignore[index]
        return f"Node.js {version} is too old."
    return "" if shutil.which("npm") else "npm is not installed (Node.js is)."


def folder(part: str, root: Path | None = None) -> Path:
    """Return where a part is installed, .run/npm/<part>/; it may not exist yet."""
    return (root or paths.root()) / ".run" / "npm" / part


def ready(part: str, root: Path | None = None) -> bool:
    """Say whether a part is installed exactly as its lock file says."""
    done = folder(part, root) / DONE
    return done.is_file() and done.read_text(encoding="utf-8") == _wanted(part, root)


def install(part: str, root: Path | None = None) -> Path:
    """Install npm/<part>/ as its lock file says, unless that is done; return its node_modules/.

    Two processes that ask at once install once. Raises NpmTrouble without Node, npm or network, FileBusy when another
    process takes too long.
    """
    target = folder(part, root)
    with file_lock(target.with_suffix(".lock"), PATIENCE):
        if not ready(part, root):
            if lack := lacking():
                raise NpmTrouble(f"{lack} {REMEDY}")
            _fetch(part, target, root)
    return target / "node_modules"


def _fetch(part: str, target: Path, root: Path | None) -> None:
    """Let npm install into `target`; what it keeps for itself stays beside it."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in NEEDED:
        shutil.copy(_source(part, root) / name, target / name)
    command = [str(shutil.which("npm")), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"]
    own = {"npm_config_cache": str(target.parent / "cache")}
    try:
        done = subprocess.run(command, cwd=target, env={**os.environ, **own}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise NpmTrouble(f"npm was not done with {part} after {PATIENCE:g} s: is there a network?") from None
    finally:
        shutil.rmtree(target.parent / "cache", ignore_errors=True)
    if done.returncode:
        last = "\n  ".join(line for line in done.stdout.splitlines()[-8:] if line.strip())
        raise NpmTrouble(f"npm could not install {part} (is there a network?). It said:\n  {last}")
    (target / DONE).write_text(_wanted(part, root), encoding="utf-8")


def _source(part: str, root: Path | None) -> Path:
    """Return the folder that names a part and locks it; ValueError for one that there is not."""
    source = (root or paths.root()) / "npm" / part
    if not all((source / name).is_file() for name in NEEDED):
        raise ValueError(f"npm/{part}/ holds no {' and '.join(NEEDED)}.")
    return source


def _wanted(part: str, root: Path | None) -> str:
    """Return the hash of what a part should be."""
    whole = b"".join((_source(part, root) / name).read_bytes() for name in NEEDED)
    return hashlib.sha256(whole).hexdigest()
