"""What the first word costs: `import sharedstate` and `sharedstate --help`, against a bare Python start.

Rounds alternate between the three commands, so that a busy moment of the machine falls on all of them. The
ratios are what travels from machine to machine; `spread` is half the distance between the quartiles.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

COMMANDS = (
    ("bare", ("-c", "pass")),
    ("import", ("-c", "import sharedstate")),
    ("help", ("-m", "sharedstate", "--help")),
)
ROUNDS = 15


def seconds(arguments: tuple[str, ...]) -> float:
    """Return how long one fresh Python with these arguments takes, in seconds."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def half_range(values: list[float]) -> float:
    """Return half the distance between the quartiles."""
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2


def run(rounds: int = ROUNDS) -> dict[str, object]:
    """Return medians in milliseconds and ratios to the bare start of the same round."""
    for _, arguments in COMMANDS:
        seconds(arguments)  # the first start reads the files from disk
    taken = [{name: seconds(arguments) for name, arguments in COMMANDS} for _ in range(rounds)]
    series = {f"{name}_ms": [row[name] * 1000 for row in taken] for name, _ in COMMANDS}
    for name in ("import", "help"):
        series[f"{name}_over_bare"] = [row[name] / row["bare"] for row in taken]
    figures: dict[str, object] = {key: round(statistics.median(values), 3) for key, values in series.items()}
    figures["rounds"] = rounds
    figures["python"] = sys.version.split()[0]
    figures["spread"] = {key: round(half_range(values), 3) for key, values in series.items()}
    return figures


if __name__ == "__main__":
    print(run())
