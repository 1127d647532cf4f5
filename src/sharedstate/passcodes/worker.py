"""The child process of a sweep: `python -m sharedstate.passcodes.worker`.

It reads one JSON line from its standard input, {"configs": [...]}, and writes one JSON line for each event:
{"started": i, "expected_seconds": s}, {"result": {...}}, at the end {"done": n}, or {"error": "..."}.
It ends at once when its standard input closes, so it cannot outlive the process that started it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable

from sharedstate.passcodes.config import RaceConfig
from sharedstate.passcodes.measure import measure_gap, measure_race

SECONDS_BESIDE_THE_GAP = 0.3e-6


def say(**event: object) -> None:
    """Write one event as one line."""
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def _end_with_the_parent() -> None:
    """Leave without ceremony once the standard input is closed."""
    sys.stdin.read()
    os._exit(0)


def _expected_seconds(config: RaceConfig) -> float:
    """Return a rough duration: under a GIL the requests are served one after the other."""
    return config.requests * (measure_gap(config.new_check, config.spin) + SECONDS_BESIDE_THE_GAP)


def _measure(order: str) -> None:
    """Measure every configuration of the order, in turn."""
    configs = [RaceConfig(**fields) for fields in json.loads(order)["configs"]]
    for i, config in enumerate(configs):
        say(started=i, expected_seconds=_expected_seconds(config))
        say(result=measure_race(config).as_dict())
    say(done=len(configs))


def main() -> int:
    """Serve one order of races; see `serve`."""
    return serve(_measure)


def leave(code: int) -> None:
    """End the process with this code, at once."""
    sys.stdout.flush()
    os._exit(code)


def serve(measure: Callable[[str], None]) -> int:
    """Serve one order by `measure`; return 0, or 1 after an error that was reported as an event."""
    # An interrupt is meant for the notebook; this process is stopped by its parent.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = sys.stdin.readline()
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    try:
        measure(order)
    except Exception as error:
        say(error=f"{type(error).__name__}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    leave(main())
