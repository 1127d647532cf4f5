"""Start the course: `python run.py lab` opens JupyterLab, `python run.py test` runs the tests.

Standard library only. The first call makes .venv in this folder and installs the exact pins there; later
calls start at once. Nothing outside this folder is written.
"""

# No `from __future__ import annotations` and no newer syntax than Python 3.6's here: an old Python must be
# able to read this file far enough to say that it is too old.
import argparse
import contextlib
import hashlib
import importlib.util
import json
import os
import platform
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path

NEEDED = (3, 11)


def too_old(version: tuple) -> str:
    """Return the message for a Python older than the course needs, or '' when it is new enough."""
    if tuple(version[:2]) >= NEEDED:
        return ""
    return (
        "Python {}.{} or newer is needed; this one is {}.{}.\n"
        "Install a newer one from python.org or your package manager, then start this file with it,\n"
        "for example: python3.11 run.py lab   (Windows: py -3.11 run.py lab)"
    ).format(*NEEDED, *version[:2])


if too_old(sys.version_info):
    sys.exit(too_old(sys.version_info))

ROOT = Path(__file__).resolve().parent
EXTRAS = ("test", "build", "classroom", "peers")
WORD_EXTRAS = (("test", EXTRAS), ("build", ("build",)), ("bench", ("peers",)))
START_PAGE = "00_start_here"
USAGE = """python run.py WORD …

  lab [UNIT] [--no-browser] [--port N]   open JupyterLab, at the start page or at a unit (for example 01)
  test [pytest arguments]                run the tests
  doctor [--json] [--quick]              say what this machine has, and the remedy for what it lacks
  bundle DIR                             collect every package in DIR, for a room without internet
  commands                               list the course's other words: start, check, progress …

Before or after WORD:
  --bundle DIR    install from such a folder instead of from the internet
  --no-venv       use the Python that runs this file (conda users); nothing is installed
"""
NETWORK_SIGNS = (
    "NewConnectionError",
    "NameResolutionError",
    "name resolution",
    "getaddrinfo failed",
    "Connection refused",
    "ConnectTimeoutError",
    "ReadTimeoutError",
    "Read timed out",
    "ProxyError",
    "Max retries exceeded",
    "Network is unreachable",
    "Connection reset",
    "ConnectionResetError",
    "SSLError",
)
DISK_SIGNS = ("No space left on device", "Errno 28", "Disk quota exceeded", "not enough space on the disk")


class Stop(Exception):
    """Something the user has to know and do; its text is the whole message."""


def say(text: str) -> None:
    """Print one line at once (pip and Jupyter write to the same terminal)."""
    print(text, flush=True)


# --- the environment


def course_environment(base: dict) -> dict:
    """Return `base` with every writer of settings, histories and caches pointed into .run in this folder."""
    run, jupyter = ROOT / ".run", ROOT / ".run" / "jupyter"
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
    }
    return {**base, **{name: str(place) for name, place in places.items()}, "SHAREDSTATE_HOME": str(ROOT)}


def write_jupyter_settings() -> None:
    """Switch off the news pop-up and nbgrader's menus; a choice that the learner made later is left alone."""
    off = {
        "nbgrader.server_extensions." + name: False
        for name in ("formgrader", "validate_assignment", "assignment_list", "course_list")
    }
    files = {
        "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings": {
            "fetchNews": "false",
            "checkForUpdates": False,
        },
        "config/jupyter_server_config.json": {"ServerApp": {"jpserver_extensions": off}},
        "config/labconfig/page_config.json": {"disabledExtensions": {"@jupyter/nbgrader": True}},
    }
    for name, content in files.items():
        path = ROOT / ".run" / "jupyter" / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def venv_python(venv: Path) -> Path:
    """Return where the interpreter of a virtual environment lies on this system."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pins() -> str:
    """Return a hash of the two files that decide what is installed."""
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "requirements.lock"):
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def python_kind() -> str:
    """Return what must be equal for an environment to be usable: version, free-threaded or not, machine."""
    free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{sys.version_info[0]}.{sys.version_info[1]}{free} {platform.machine()}"


def read_stamp(venv: Path) -> dict:
    """Return the stamp that the last installation left, or {} when there is none that can be read."""
    try:
        stamp = json.loads((venv / "course-stamp.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, entries: dict) -> None:
    """Write the stamp in one piece, so that an interrupted write leaves the old one."""
    path = venv / "course-stamp.json"
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(entries), encoding="utf-8")
    os.replace(str(fresh), str(path))


def why_unusable(venv: Path, stamp: dict) -> str:
    """Return why this .venv must be made anew, or '' when it can be used or added to."""
    if not venv_python(venv).exists():
        return ".venv has no working Python (the one it was made from may be gone)"
    if stamp.get("state") == "installing":
        return "the last installation did not finish"
    if stamp and stamp.get("venv") != str(venv):
        return ".venv was copied or moved here from another folder"
    if stamp and stamp.get("python") != python_kind():
        return ".venv belongs to Python {}, and this is {}".format(stamp.get("python"), python_kind())
    if not stamp:
        return foreign(venv)
    home = re.search(r"^home *= *(.+)$", read_config(venv), re.M)
    return (
        "" if home and Path(home.group(1).strip()).is_dir() else "the Python that .venv was made from is gone"
    )


def read_config(venv: Path) -> str:
    """Return the text of pyvenv.cfg, or ''."""
    try:
        return (venv / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return ""


def foreign(venv: Path) -> str:
    """Ask the interpreter of an unstamped .venv who it is: return what is wrong with it, or ''."""
    code = "import sys, pip; print(sys.version_info[0], sys.version_info[1], sys.prefix)"
    try:
        done = subprocess.run(
            [str(venv_python(venv)), "-I", "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError):
        return "the Python in .venv does not start"
    major, minor, prefix = [*done.stdout.strip().split(" ", 2), "", "", ""][:3]
    if done.returncode or not prefix or Path(prefix).resolve() != venv.resolve():
        return "the Python in .venv does not work"
    if (major, minor) != (str(sys.version_info[0]), str(sys.version_info[1])):
        return f".venv belongs to Python {major}.{minor}"
    return ""


def make_venv(venv: Path, reason: str) -> None:
    """Create .venv, in place of an unusable one when there is a reason."""
    if reason:
        say(f"{reason[0].upper() + reason[1:]}: it is made anew.")
    base = getattr(sys, "_base_executable", None) or sys.executable
    done = subprocess.run(
        [base, "-m", "venv", "--clear", str(venv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode == 0:
        return
    explain_disk(done.stdout)
    if "ensurepip" in done.stdout:
        raise Stop(
            "This Python cannot make virtual environments.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv"
        )
    raise Stop(
        "Making .venv failed. If a program still uses it (JupyterLab, an editor), close that; "
        "or delete the folder .venv and try again.\n" + done.stdout.strip()
    )


@contextlib.contextmanager
def one_at_a_time() -> object:
    """Hold a file lock that the system releases when this process ends, however it ends."""
    folder = ROOT / ".run"
    folder.mkdir(exist_ok=True)
    with open(str(folder / "install.lock"), "a+") as handle:
        try:
            if os.name == "nt":
                import msvcrt

                msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Stop("Another run.py installs in this folder just now: wait until it is done.") from None
        yield


def ensure(extras: tuple, bundle: str = "") -> Path:
    """Return the interpreter of a .venv that holds the pins and these extras, installing what is missing."""
    venv = ROOT / ".venv"
    stamp = read_stamp(venv)
    if ready(venv, stamp, extras):
        return venv_python(venv)
    with one_at_a_time():
        stamp = read_stamp(venv)  # the other process may have just done it
        if not ready(venv, stamp, extras):
            install(venv, stamp, extras, bundle)
    return venv_python(venv)


def ready(venv: Path, stamp: dict, extras: tuple) -> bool:
    """Say whether nothing has to be installed."""
    return (
        stamp.get("state") == "done"
        and stamp.get("pins") == pins()
        and set(extras) <= set(stamp.get("extras", ()))
        and not why_unusable(venv, stamp)
    )


def install(venv: Path, stamp: dict, extras: tuple, bundle: str) -> None:
    """Bring .venv up to the pins; the stamp says `installing` until everything is there."""
    wheels = check_bundle(bundle)
    reason = why_unusable(venv, stamp) if venv.exists() else ""
    wanted = tuple(sorted(set(extras) | set(stamp.get("extras", ()))))
    announce(stamp, wanted, bool(wheels), fresh=bool(reason) or not venv.exists())
    if reason or not venv.exists():
        make_venv(venv, reason)
    entries = {"venv": str(venv), "python": python_kind(), "extras": wanted}
    write_stamp(venv, {**entries, "state": "installing"})
    target = "." + ("[" + ",".join(wanted) + "]" if wanted else "")
    source = ["--no-index", "--find-links", str(wheels)] if wheels else []
    started = time.time()
    pip(venv, ["install", "-c", "requirements.lock", *source, "-e", target])
    write_stamp(venv, {**entries, "state": "done", "pins": pins()})
    # The downloads are kept only while an interrupted installation could need them again.
    shutil.rmtree(str(ROOT / ".run" / "pip"), ignore_errors=True)
    say(f"Ready after {time.time() - started:.0f} s.")


def announce(stamp: dict, wanted: tuple, offline: bool, fresh: bool) -> None:
    """Say what will be installed, how large it is and how long it may take."""
    what = "JupyterLab, numpy, matplotlib, torch" + (" and for: " + ", ".join(wanted) if wanted else "")
    if not fresh:
        new = [name for name in wanted if name not in stamp.get("extras", ())]
        why = (
            "adds what is needed for: " + ", ".join(new)
            if stamp and new
            else "brings .venv to the exact pins"
        )
        say(f"One more installation {why}.")
        return
    size = "about 0.3 GB; 1.5 GB on disk"
    if platform.system() == "Linux":
        size = "about 3 GB, since torch's Linux build brings CUDA; 5.5 GB on disk, 8 while it installs"
    say(f"First set-up in {ROOT}: a virtual environment .venv with {what}.")
    say(
        "From the bundle: one to three minutes."
        if offline
        else f"Download: {size}. Two to five minutes on a fast line."
    )
    say("You can stop it with Ctrl-C; the next call goes on from there.")


# --- pip


def pip(venv: Path, arguments: list) -> None:
    """Run pip in .venv, show the large steps, keep the whole log in .run/pip.log, and explain a failure."""
    run = ROOT / ".run"
    shutil.rmtree(str(run / "pip" / "tmp"), ignore_errors=True)  # what an interrupted call left
    (run / "pip" / "tmp").mkdir(parents=True)
    folders = {name: str(run / "pip" / "tmp") for name in ("TMPDIR", "TEMP", "TMP")}
    environment = {**os.environ, "PYTHONUTF8": "1", "PIP_CACHE_DIR": str(run / "pip" / "cache"), **folders}
    quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
    command = [str(venv_python(venv)), "-m", "pip", arguments[0], *quiet, *arguments[1:]]
    process = subprocess.Popen(
        command,
        cwd=str(ROOT),
        env=environment,
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
        explain_disk(text)
        explain_pip(text)


def follow(process: subprocess.Popen, log: Path) -> str:
    """Read pip's lines to the end, print those a person wants to see, and return all of them."""
    lines: queue.Queue = queue.Queue()

    def read() -> None:
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    seen, started = [], time.time()
    with open(str(log), "w", encoding="utf-8") as handle:
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
        return "installing {} packages".format(line.count(",") + 1)
    return "no answer from the network, trying again" if "Retrying (" in line else ""


def explain_disk(text: str) -> None:
    """Raise Stop when `text` shows that the disk is full."""
    if any(sign in text for sign in DISK_SIGNS):
        free = shutil.disk_usage(str(ROOT)).free / 1e9
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


def make_bundle(folder: str) -> None:
    """Collect every package, of all extras and of the build itself, as wheels in `folder`."""
    wheels = Path(folder).expanduser().resolve()
    wheels.mkdir(parents=True, exist_ok=True)
    venv = ROOT / ".venv"
    with one_at_a_time():
        reason = why_unusable(venv, read_stamp(venv)) if venv.exists() else ""
        if reason or not venv.exists():
            make_venv(venv, reason)
        say(f"Collects all packages in {wheels} (on Linux about 3 GB, elsewhere about 0.5 GB).")
        project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        builder = re.search(r'"(setuptools==[^"]+)"', project).group(1)
        target = ".[" + ",".join(EXTRAS) + "]"
        pip(venv, ["wheel", "-w", str(wheels), "-c", "requirements.lock", target, builder])
        for own in wheels.glob("sharedstate-*.whl"):
            own.unlink()  # the course itself is installed from its folder, never from a copy
    note = {"system": platform.system(), "python": python_kind(), "pins": pins()}
    (wheels / "bundle.json").write_text(json.dumps(note), encoding="utf-8")
    shutil.rmtree(str(ROOT / ".run" / "pip"), ignore_errors=True)
    say(
        "Done. Copy the folder to a machine of the same system and Python, then there:\n"
        "  python run.py lab --bundle DIR"
    )


def check_bundle(folder: str) -> object:
    """Return the bundle's folder (None without one), or stop when it cannot serve here."""
    if not folder:
        return None
    wheels = Path(folder).expanduser().resolve()
    try:
        note = json.loads((wheels / "bundle.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Stop(f"{wheels} is not a finished bundle. Make one with: python run.py bundle DIR") from None
    here = {"system": platform.system(), "python": python_kind(), "pins": pins()}
    for key, what in (
        ("system", "another system"),
        ("python", "another Python"),
        ("pins", "another state of the course"),
    ):
        if note.get(key) != here[key]:
            detail = "" if key == "pins" else f" ({note.get(key)}; here {here[key]})"
            raise Stop(f"The bundle in {wheels} is for {what}{detail}. Make one that fits.")
    return wheels


# --- conda: no .venv


def check_current(extras: tuple) -> Path:
    """Check that the running interpreter has what is needed; nothing is installed."""
    import tomllib
    from importlib.metadata import PackageNotFoundError, version

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
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
    if importlib.util.find_spec("sharedstate") is None:
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


# --- the words


def call(command: list) -> int:
    """Run a command to its end and return its exit code; Ctrl-C goes to it, not to us."""
    process = subprocess.Popen(
        [str(part) for part in command], cwd=os.getcwd(), env=course_environment(dict(os.environ))
    )
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue
        return 128 - code if code < 0 else code


def find_notebook(unit: str) -> Path:
    """Return the lesson that UNIT names ('' is the start page), or stop and list what there is."""
    lessons = {path.stem: path for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))}
    wanted = (unit or START_PAGE).strip().rstrip("/")
    hits = [name for name in lessons if name == wanted or (wanted.isdigit() and name[:2] == wanted.zfill(2))]
    if len(hits) == 1:
        return lessons[hits[0]]
    known = ", ".join(lessons) or "none is built; python run.py build makes them"
    raise Stop(f"No unit {unit or START_PAGE!r} here. Units: {known}.")


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


def lab_command(python: Path, notebook: Path, port: int, retries: int, browser: bool) -> list:
    """Return the command that starts JupyterLab on this notebook: loopback only, with its token."""
    page = "/lab/tree/" + notebook.relative_to(ROOT).as_posix()
    options = [
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        f"--ServerApp.port_retries={retries}",
        f"--ServerApp.root_dir={ROOT}",
        "--LabApp.default_url=" + page,
        "--ServerApp.answer_yes=True",
        "--ServerApp.log_level=WARN",
        "--LabApp.log_level=WARN",
    ]
    if not browser:
        options.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")
    return [python, "-m", "jupyterlab", *options]


def lab(arguments: list, prepare: object) -> int:
    """Open JupyterLab on the start page or on a unit."""
    parser = argparse.ArgumentParser(
        prog="run.py lab", description="Open JupyterLab at the start page or at a unit."
    )
    parser.add_argument("unit", nargs="?", default="", help="a unit's number or name, for example 01")
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address instead of opening a browser"
    )
    parser.add_argument("--port", type=int, default=0, help="a port of your own choice")
    chosen = parser.parse_args(arguments)
    notebook, port = find_notebook(chosen.unit), choose_port(chosen.port)
    python = prepare(())
    write_jupyter_settings()
    say(f"JupyterLab starts with {notebook.relative_to(ROOT).as_posix()}. Stop it with Ctrl-C here.")
    retries = 0 if chosen.port else 30  # somebody may take the free port before JupyterLab does
    return call(lab_command(python, notebook, port, retries, not chosen.no_browser))


def split_options(arguments: list) -> tuple:
    """Take --no-venv and --bundle DIR out of the arguments, wherever they stand: (rest, no_venv, bundle)."""
    rest, no_venv, bundle, words = [], False, "", list(arguments)
    while words:
        word = words.pop(0)
        if word == "--no-venv":
            no_venv = True
        elif word == "--bundle" or word.startswith("--bundle="):
            bundle = word[9:] or (words.pop(0) if words else "")
            if not bundle:
                raise Stop("--bundle needs a folder: --bundle DIR")
        else:
            rest.append(word)
    return rest, no_venv, bundle


def dispatch(arguments: list) -> int:
    """Do what the words say and return the exit code."""
    words, no_venv, bundle = split_options(arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0
    word, rest = words[0], words[1:]

    def prepare(extras: tuple) -> Path:
        return check_current(extras) if no_venv else ensure(extras, bundle)

    if word == "bundle":
        if len(rest) != 1:
            raise Stop("Say where: python run.py bundle DIR")
        make_bundle(rest[0])
        return 0
    if word == "lab":
        return lab(rest, prepare)
    python = prepare(dict(WORD_EXTRAS).get(word, ()))
    if word == "test":
        os.chdir(str(ROOT))
        return call([python, "-m", "pytest", *rest])
    return call([python, "-m", "sharedstate", *(["--help"] if word == "commands" else words)])


def main(arguments: list) -> int:
    """Run the command line; every foreseen problem ends in one clear message and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return dispatch(arguments)
    except Stop as stop:
        print("\n" + str(stop), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The next call goes on from here.", file=sys.stderr)
        return 128 + signal.SIGINT
    except OSError as error:
        full = any(sign in str(error) for sign in DISK_SIGNS)
        remedy = "Make room and try again" if full else "Is this folder writable?"
        print(f"\nThe system said: {error}. {remedy}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
