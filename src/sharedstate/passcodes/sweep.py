"""Run many measurements in a child process, so that the caller stays alive and can stop them at once."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sharedstate.passcodes.config import RaceConfig, RaceResult

POLL_SECONDS = 0.05
ERROR_TAIL = 800


class SweepFailed(RuntimeError):
    """The child process reported an error or ended before its work was done."""


def thread_sweep(
    counts: Iterable[int] = (2, 4, 8, 16, 32, 64), base: RaceConfig | None = None
) -> list[RaceConfig]:
    """Return one configuration for each number of threads, all else as in `base`."""
    fields = asdict(base or RaceConfig(requests=100_000))
    return [RaceConfig(**{**fields, "threads": n}) for n in counts]


def gap_sweep(
    spins: Iterable[int] = (125, 250, 500, 1000, 2000, 4000), base: RaceConfig | None = None
) -> list[RaceConfig]:
    """Return one configuration for each gap (loop turns), all else as in `base`."""
    fields = asdict(base or RaceConfig(requests=100_000))
    return [RaceConfig(**{**fields, "spin": n}) for n in spins]


def _environment() -> dict[str, str]:
    """Return this process's environment with the running package importable in the child too."""
    here = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(p for p in (here, os.environ.get("PYTHONPATH", "")) if p)
    return {**os.environ, "PYTHONPATH": path}


class SweepProcess:
    """One child that measures a list of configurations. Owned by whoever made it: no other object shares it.

    events() never blocks; kill() ends the child at once. The child also ends when this process does.
    A subclass measures something else: `module` is what the child runs, `result` what its results become.
    """

    module = "sharedstate.passcodes.worker"
    result: type[Any] = RaceResult

    def __init__(self, configs: Iterable[Any]) -> None:
        self.configs = list(configs)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed in kill()
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._child = subprocess.Popen(
            [sys.executable, "-m", self.module],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True, env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        assert self._child.stdin is not None and self._child.stdout is not None  # both are pipes
        self._input, self._output = self._child.stdin, self._child.stdout
        self.running = True
        threading.Thread(target=self._read, daemon=True).start()
        with contextlib.suppress(OSError):  # a child that died at once is reported by events()
            self._input.write(json.dumps({"configs": [asdict(c) for c in self.configs]}) + "\n")
            self._input.flush()

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._child.pid

    def _read(self) -> None:
        """Pass the child's lines on; None marks its end."""
        for line in self._output:
            self._lines.put(line)
        self._lines.put(None)

    def events(self) -> list[dict[str, Any]]:
        """Return what the child has said since the last call, oldest first, without waiting.

        {"started": i, "expected_seconds": s}, {"result": RaceResult}, {"done": n}, and {"error": text}
        when it failed or died. After "done" or "error" the sweep is no longer running.
        """
        events: list[dict[str, Any]] = []
        while self.running and not self._lines.empty():
            events.append(self._event(self._lines.get()))
            if "done" in events[-1] or "error" in events[-1]:
                self.kill()
        return events

    def _event(self, line: str | None) -> dict[str, Any]:
        """Turn one line into an event."""
        if line is None:
            return {"error": self._last_words()}
        event = json.loads(line)
        if "result" in event:
            event["result"] = self.result.from_dict(event["result"])
        return event

    def _last_words(self) -> str:
        """Say how the child ended, with the tail of its error stream."""
        code = self._child.wait()
        self._errors.seek(0)
        tail = self._errors.read().decode(errors="replace")[-ERROR_TAIL:].strip()
        return f"The measuring process ended early (exit code {code}). {tail}".strip()

    def kill(self) -> None:
        """End the child now, whatever it is doing. Harmless when it has ended already."""
        self.running = False
        self._child.kill()
        self._child.wait()
        self._input.close()
        self._errors.close()


def run_sweep(
    configs: Iterable[RaceConfig],
    on_result: Callable[[RaceResult], None] | None = None,
    stop: threading.Event | None = None,
) -> list[RaceResult]:
    """Measure every configuration in one child process and return the results, in order.

    on_result is called in this thread as each arrives. Setting `stop` kills the child at once and returns
    what there is. Raises SweepFailed with the child's own message. An interrupt kills the child too.
    """
    stop = stop or threading.Event()
    results: list[RaceResult] = []
    sweep = SweepProcess(configs)
    try:
        while sweep.running and not stop.wait(POLL_SECONDS):
            for event in sweep.events():
                if "error" in event:
                    raise SweepFailed(str(event["error"]))
                if "result" in event:
                    results.append(event["result"])
                    if on_result:
                        on_result(event["result"])
    finally:
        sweep.kill()
    return results
