"""Load for the HTTP front: many clients, each of which knows what its own answer must be.

Bounded in count and in time. aiohttp is needed (extra peers).
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp


@dataclass
class Report:
    """What came back. wrong: answers of somebody else, or with a token missing; lost: no ending at all."""

    sent: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    codes: Counter[int] = field(default_factory=Counter)
    ttft: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        """One line."""
        first = statistics.median(self.ttft) * 1e3 if self.ttft else 0.0
        return (f"{self.sent} sent in {self.seconds:.1f} s ({self.sent / max(self.seconds, 1e-9):.0f} a second): "
                f"{self.right} right, {len(self.wrong)} wrong, {len(self.lost)} lost; "
                f"first token after {first:.0f} ms in the median")  # fmt: skip


async def drive(
    address: str,
    questions: Sequence[dict[str, Any]],
    answers: Sequence[Sequence[int]],
    count: int,
    clients: int = 32,
    seconds: float = 60.0,
) -> Report:
    """Send `count` requests from at most `clients` at a time, for at most so many seconds; check each answer.

    Client n asks questions[n % len(questions)], and expects that answer. One that is told to come again (503) does so.
    """
    report, gate, deadline = Report(), asyncio.Semaphore(clients), time.monotonic() + seconds
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=seconds)) as session:

        async def one(n: int) -> None:
            which = n % len(questions)
            async with gate:
                if time.monotonic() < deadline:
                    report.sent += 1
                    question = {**questions[which], "id": f"load-{n}"}
                    await _ask(session, address, question, list(answers[which]), report, deadline)

        started = time.monotonic()
        await asyncio.gather(*(one(n) for n in range(count)))
        report.seconds = time.monotonic() - started
    return report


async def _ask(
    session: aiohttp.ClientSession,
    address: str,
    question: dict[str, Any],
    answer: list[int],
    report: Report,
    deadline: float,
) -> None:
    """Ask once, again while the server is full; note how it ended."""
    name = question["id"]
    try:
        while True:
            started = time.monotonic()
            async with session.post(f"{address}/generate", json=question) as response:
                report.codes[response.status] += 1
                if response.status == 503 and time.monotonic() < deadline:
                    await asyncio.sleep(0.05)
                    continue
                lines = [json.loads(line) async for line in _timed(response, started, report)]
                break
    except (aiohttp.ClientError, TimeoutError, ValueError) as problem:
        report.lost.append(f"{name}: {problem!r}")
        return
    tokens = [line["token"] for line in lines if "token" in line]
    ended = lines[-1] if lines else {}
    mine = all(line.get("id") == name for line in lines)
    if ended.get("status") != "done":
        report.lost.append(f"{name}: {ended}")
    elif mine and tokens == answer == ended["tokens"]:
        report.right += 1
    else:
        report.wrong.append(f"{name}: {tokens}, not {answer}")


async def _timed(response: aiohttp.ClientResponse, started: float, report: Report) -> Any:
    """Yield the lines of an answer, and note when the first one came."""
    first = True
    async for line in response.content:
        if first and response.status == 200:
            report.ttft.append(time.monotonic() - started)
        first = False
        yield line
