"""The HTTP front: status codes, streaming, a client that goes, and load in which nothing is lost or mixed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
from playing import by_the_model, mixed

from sharedstate.model import GPT
from sharedstate.serving import Engine, Limits, Request, Runner
from sharedstate.serving.front import Doors, listening
from sharedstate.serving.load import drive


@pytest.fixture
def address(model: GPT) -> Iterator[str]:
    """A front on a free port, with narrow doors."""
    with listening(Engine(model, Limits(max_batch=8)), Doors(body=3000, prompt=300, answer=40, in_flight=24)) as found:
        yield found


def post(address: str, body: object) -> tuple[int, list[dict[str, Any]]]:
    """Send one request and return the status code and the lines."""

    async def go() -> tuple[int, list[dict[str, Any]]]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        async with aiohttp.ClientSession() as session, session.post(f"{address}/generate", data=data) as response:
            return response.status, [json.loads(line) async for line in response.content]

    return asyncio.run(asyncio.wait_for(go(), 60))


def test_tokens_are_streamed_and_the_last_line_says_how_it_ended(model: GPT, address: str) -> None:
    code, lines = post(address, {"prompt": [1, 2, 3], "max_new_tokens": 5, "id": "me"})
    tokens = [line["token"] for line in lines[:-1]]
    assert code == 200 and tuple(tokens) == by_the_model(model, Request("me", [1, 2, 3], 5))
    assert lines[-1] == {"id": "me", "status": "done", "reason": "", "tokens": tokens}


@pytest.mark.parametrize(("body", "code", "reason"), [
    (b"{", 400, "not JSON"), ([1], 400, "an object"), ({"prompt": []}, 400, "empty"), ({"prompt": "abc"}, 400, "list"),
    ({}, 400, "list"), ({"prompt": [1], "tenant": "other"}, 400, "unknown: tenant"),
    ({"prompt": [1], "temperature": "hot"}, 400, "not supported"), ({"prompt": [1], "top_p": 2}, 400, "top_p"),
    ({"prompt": [1], "max_new_tokens": 0}, 400, "1 or more"), ({"prompt": [1.5]}, 400, "whole numbers"),
    ({"prompt": [1], "id": 7}, 400, "a name"), (b"[" * 2000, 400, "not JSON"),
    ({"prompt": [1] * 301}, 413, "300 tokens"), (b" " * 3001, 413, "3000 bytes"),
    ({"prompt": [99]}, 422, "vocabulary"), ({"prompt": [1], "max_new_tokens": 41}, 422, "40 tokens"),
], ids=lambda value: str(value)[:30])  # fmt: skip
def test_status_codes(address: str, body: object, code: int, reason: str) -> None:
    found, lines = post(address, body)
    assert found == code and reason in lines[0]["reason"]


def test_load_nothing_lost_nothing_mixed(model: GPT, address: str, exhaustive: bool) -> None:
    texts = mixed(12, 4, longest=30, most=8)
    asked = [{"prompt": list(text.prompt), "max_new_tokens": text.max_new_tokens} for text in texts]
    answers = [by_the_model(model, text) for text in texts]
    count = 600 if exhaustive else 60
    report = asyncio.run(drive(address, asked, answers, count, clients=40, seconds=300))
    assert (report.sent, report.right, report.wrong, report.lost) == (count, count, [], [])
    answers[3] = (*answers[3], 0)  # a client sees when an answer is not its own
    assert len(asyncio.run(drive(address, asked, answers, 12, seconds=60)).wrong) == 1


def test_a_client_that_goes_takes_its_request_with_it(model: GPT) -> None:
    class Slow(Runner):
        def norm(self, x: Any) -> Any:
            time.sleep(0.002)
            return super().norm(x)

    engine = Engine(model, runner=Slow)

    async def leave(address: str) -> int:
        async with aiohttp.ClientSession() as session:
            body = {"prompt": [1, 2], "max_new_tokens": 400, "id": "me"}
            async with session.post(f"{address}/generate", json=body) as response:
                await response.content.readline()
                async with session.post(f"{address}/generate", json=body) as second:
                    assert second.status == 409
        async with aiohttp.ClientSession() as session:
            for _ in range(500):
                async with session.get(f"{address}/health") as response:
                    if (await response.json())["in_flight"] == 0:
                        return engine.metrics.steps
                await asyncio.sleep(0.02)
        raise AssertionError("still in flight")

    with listening(engine, Doors(answer=500)) as address:
        assert asyncio.run(leave(address)) < 400
