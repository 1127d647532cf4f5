"""Start the course: `python run.py lab` opens JupyterLab, `python run.py test` runs the tests.

Standard library only. The first call makes .venv in this folder and installs the exact pins there; later
calls start at once. Nothing outside this folder is written. What happens next stands in src/sharedstate/commands.
"""

# No `from __future__ import annotations` and no newer syntax than Python 3.6's here: an old Python must be
# able to read this file far enough to find a newer one, or to say that it is too old.
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)
ROOT = Path(__file__).resolve().parent
HERE = str(Path(__file__).resolve())


def too_old(version: tuple) -> str:
    """Return the message for a Python older than the course needs, or '' when it is new enough."""
    if tuple(version[:2]) >= OLDEST:
        return ""
    return (
        "Python {}.{} or newer is needed; this one is {}.{}.\n"
        "Install a newer one from python.org or your package manager, then start this file with it,\n"
        "for example: python3.11 run.py lab   (Windows: py -3.11 run.py lab)"
    ).format(*OLDEST, *version[:2])


def newer_python() -> list:
    """Return the start of a command for a Python that the course can use, [] when there is none on this machine."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        if found:
            return [found]
        launcher = shutil.which("py") if os.name == "nt" else None
        if launcher and subprocess.call([launcher, f"-3.{minor}", "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return [launcher, f"-3.{minor}"]
    return []


if too_old(sys.version_info):
    if __name__ == "__main__" and newer_python():
        sys.exit(subprocess.call([*newer_python(), HERE, *sys.argv[1:]]))
    sys.exit(too_old(sys.version_info))

# The course's own modules are read from this folder, whatever else is installed: before .venv is, nothing is.
sys.path.insert(0, str(ROOT / "src"))
from sharedstate.commands import install, lab, tests, venv  # noqa: E402
from sharedstate.commands.install import Stop, say  # noqa: E402
from sharedstate.files import FileBusy, file_lock  # noqa: E402

CLASSROOM = ("classroom",)
WORD_EXTRAS = (
    ("test", install.EXTRAS), ("build", ("build",)), ("site", ("build",)), ("bench", ("peers",)),
    ("grade", CLASSROOM), ("hub", CLASSROOM), ("release", ("build", *CLASSROOM)),
)  # fmt: skip
USAGE = """python run.py WORD …

  lab [UNIT] [--no-browser] [--port N]   open JupyterLab, at the start page or at a unit (for example 01)
  test [--quick] [pytest arguments]      run the tests; --quick: a selection, about three minutes
  doctor [--json] [--quick]              say what this machine has, and how to get what is missing
  bundle DIR                             collect every package in DIR, for a room without internet
  commands                               list the course's other words: start, check, progress …

Before or after WORD:
  --bundle DIR    install from such a folder instead of from the internet
  --no-venv       use the Python that runs this file (conda users); nothing is installed
"""


def make_venv(folder: Path, reason: str) -> None:
    """Create .venv, in place of an unusable one when there is a reason."""
    if reason:
        say(f"{reason[0].upper() + reason[1:]}: it is made anew.")
    base = getattr(sys, "_base_executable", None) or sys.executable
    done = subprocess.run(
        [base, "-m", "venv", "--clear", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode == 0:
        return
    install.explain_disk(done.stdout, ROOT)
    if "ensurepip" in done.stdout:
        raise Stop(
            "This Python cannot make virtual environments.\n"
            "On Debian and Ubuntu: sudo apt install python3-venv"
        )
    raise Stop(
        "Making .venv failed. If a program still uses it (JupyterLab, an editor), close that; "
        "or delete the folder .venv and try again.\n" + done.stdout.strip()
    )


def ensure(extras: tuple, bundle: str = "") -> Path:
    """Return the interpreter of a .venv that holds the pins and these extras, installing what is missing."""
    folder = ROOT / ".venv"
    if not venv.ready(ROOT, venv.read_stamp(folder), extras):
        with one_at_a_time():
            stamp = venv.read_stamp(folder)  # another process may have just done it
            if not venv.ready(ROOT, stamp, extras):
                wheels = install.check_bundle(ROOT, bundle)
                reason = venv.why_unusable(folder, stamp) if folder.exists() else ""
                wanted, fresh = tuple(sorted({*extras, *stamp.get("extras", ())})), bool(reason) or not folder.exists()
                install.announce(ROOT, stamp, wanted, bool(wheels), fresh)
                if fresh:
                    make_venv(folder, reason)
                install.fill(ROOT, stamp, wanted, wheels)
    return venv.venv_python(folder)


@contextlib.contextmanager
def one_at_a_time() -> object:
    """Hold the lock of this folder's installation, or stop when another run.py has it."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(file_lock(ROOT / ".run" / "install.lock", patience=0))
        except FileBusy:
            raise Stop("Another run.py installs in this folder just now: wait until it is done.") from None
        yield


def bundle_into(folder: str) -> int:
    """Make a .venv for its pip where there is none, and collect every package in a folder."""
    with one_at_a_time():
        made = ROOT / ".venv"
        reason = venv.why_unusable(made, venv.read_stamp(made)) if made.exists() else ""
        if reason or not made.exists():
            make_venv(made, reason)
        install.collect(ROOT, folder)
    return 0


def call(command: list) -> int:
    """Run a command to its end and return its exit code; Ctrl-C goes to it, not to us."""
    process = subprocess.Popen([str(part) for part in command], env=lab.course_environment(ROOT, os.environ))
    while True:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            continue
        return 128 - code if code < 0 else code


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
    if word == "bundle":
        if len(rest) != 1:
            raise Stop("Say where: python run.py bundle DIR")
        return bundle_into(rest[0])
    wanted = lab.asked(ROOT, rest) if word == "lab" else None  # a wrong unit is said before anything is installed
    extras = dict(WORD_EXTRAS).get(word, ())
    python = install.check_current(ROOT, extras) if no_venv else ensure(extras, bundle)
    if wanted:
        lab.write_settings(ROOT / ".run" / "jupyter")
        say(f"JupyterLab starts with {wanted.notebook.relative_to(ROOT).as_posix()}. Stop it with Ctrl-C here.")
        return call(lab.command(ROOT, python, wanted))
    if word == "test":
        os.chdir(str(ROOT))
        return tests.run(python, rest, call)
    return call([python, "-m", "sharedstate", *(["--help"] if word == "commands" else words)])


def main(arguments: list) -> int:
    """Run the command line; every foreseen problem ends in one clear message and exit code 1."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    os.environ["SHAREDSTATE_HOME"] = str(ROOT)
    try:
        return dispatch(arguments)
    except Stop as stop:
        print("\n" + str(stop), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The next call goes on from here.", file=sys.stderr)
        return 128 + signal.SIGINT
    except OSError as error:
        full = any(sign in str(error) for sign in install.DISK_SIGNS)
        remedy = "Make room and try again" if full else "Is this folder writable?"
        print(f"\nThe system said: {error}. {remedy}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
