"""Runs a notebook from top to bottom in a kernel of its own, far from the learner's files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sharedstate.authoring.outputs import tidy
from sharedstate.checks.lab import STRICT

CELL_SECONDS = 300
MATPLOTLIB = "svg.hashsalt: sharedstate\n"


@dataclass(frozen=True)
class CellFault:
    """Where an execution stopped: cell position (from 0), the exception's name and text, its traceback."""

    position: int
    ename: str
    evalue: str
    traceback: tuple[str, ...]


@dataclass(frozen=True)
class Execution:
    """An executed notebook with tidy outputs, and the fault that stopped it (None: it ran to the end)."""

    book: Any
    fault: CellFault | None


class Executions:
    """Executions by content, so that a build, a check and the tests of one session run each notebook once."""

    def __init__(self, home: Path, tell: Callable[[str], None] = lambda line: None) -> None:
        self.home = home
        self._tell = tell
        self._done: dict[tuple[str, str], Execution] = {}

    def run(self, name: str, key: str, book: Any) -> Execution:
        """Return the execution of `book` (left as it is), from memory if `name` and `key` were run before."""
        if (name, key) not in self._done:
            self._tell(f"run   {name}")
            self._done[name, key] = execute(book, self.home, strict=not name.startswith("labs/"))
        return self._done[name, key]


def execute(book: Any, home: Path, strict: bool = True) -> Execution:
    """Execute a copy of the notebook in an empty my-labs folder; the first error without its tag ends it.

    strict: a check that is not passed is such an error.
    """
    book = deepcopy(book)
    with tempfile.TemporaryDirectory(prefix="sharedstate-", ignore_cleanup_errors=True) as folder:
        labs = Path(folder).resolve() / "my-labs"
        labs.mkdir()
        (labs.parent / "matplotlibrc").write_text(MATPLOTLIB, encoding="utf-8")
        fault = _run(book, labs, {**_environment(home, labs), STRICT: str(int(strict))})
        return Execution(tidy(book, _stand_ins(home, labs)), fault)


def _stand_ins(home: Path, labs: Path) -> dict[str, str]:
    """Return what stands for each machine path in stored text; a root folder is no path to replace."""
    names = {home: ".", labs: "my-labs", labs.parent: "temp", Path.home(): "~"}
    deep = {str(path): word for path, word in names.items() if len(path.parts) > 1}
    return {**deep, f"{home}{os.sep}": "", f"{labs}{os.sep}": "my-labs/"}


def _environment(home: Path, labs: Path) -> dict[str, str]:
    """Return the kernel's environment: this checkout's package, an empty my-labs, no personal settings."""
    searched = [str(home / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ, "PYTHONPATH": os.pathsep.join(searched), "SHAREDSTATE_HOME": str(home),
        "SHAREDSTATE_MY_LABS": str(labs), "IPYTHONDIR": str(labs.parent / "ipython"),
        "MATPLOTLIBRC": str(labs.parent / "matplotlibrc"), "SOURCE_DATE_EPOCH": "0",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def _run(book: Any, cwd: Path, environment: dict[str, str]) -> CellFault | None:
    """Execute in place; return the fault, or None."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    kept = dict(book.metadata)
    client = NotebookClient(
        book, km=_kernel(), timeout=CELL_SECONDS, record_timing=False, store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
    )
    try:
        client.execute(cwd=str(cwd), env=environment)
    except CellExecutionError as error:
        return _fault(book, error.ename, error.evalue)
    except CellTimeoutError:
        return _fault(book, "Timeout", f"the cell ran for more than {CELL_SECONDS} s")
    except DeadKernelError as error:
        return _fault(book, "DeadKernel", str(error))
    finally:
        book.metadata.clear()
        book.metadata.update(kept)
    return None


def _kernel() -> Any:
    """Return a manager for the kernel of the running Python, whatever kernels the user has installed."""
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    specs = KernelSpecManager()
    specs.kernel_dirs = []
    return AsyncKernelManager(kernel_name="python3", kernel_spec_manager=specs)


def _fault(book: Any, ename: str, evalue: str) -> CellFault:
    """Return the fault with the position of the cell that ran last."""
    ran = [n for n, cell in enumerate(book.cells) if cell.get("execution_count") is not None]
    position = ran[-1] if ran else 0
    errors = [o for o in book.cells[position].get("outputs", ()) if o.output_type == "error"]
    return CellFault(position, ename, evalue, tuple(errors[-1].traceback) if errors else ())
