"""A small HTTP front: one thread owns the engine, everybody else sends it letters.

POST /generate with {"prompt": [tokens], "max_new_tokens": 16, "id": …, "seed": …, "temperature": …, "top_k": …,
"top_p": …} streams one line of JSON for each token, and a last one that says how the request ended. 400: the request
makes no sense; 409: its id is in flight; 413: the body is too large; 422: the engine refuses it; 503: come again.
starlette and uvicorn are needed (extra peers). It listens on the loopback address unless told otherwise.
"""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as Call
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sharedstate.serving.engine import Engine
from sharedstate.serving.requests import REFUSED, Request, Sampling

FIELDS = ("prompt", "max_new_tokens", "id", "seed", "temperature", "top_k", "top_p")
TRIES = 3  # steps in a row that may raise, before everybody in flight is told

Letter = dict[str, Any]
Send = Callable[[Letter], object]


@dataclass(frozen=True)
class Doors:
    """What the front lets in: bytes of a body, tokens of a prompt, tokens of an answer, requests in flight."""

    body: int = 1 << 20
    prompt: int = 4096
    answer: int = 1024
    in_flight: int = 256


class Owner(threading.Thread):
    """The one thread that calls the engine. What others want of it goes through its inbox."""

    def __init__(self, engine: Engine) -> None:
        """Take an engine that nobody else will use from now on."""
        super().__init__(name="engine", daemon=True)
        self.engine = engine
        self.inbox: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._waiting: dict[str, Send] = {}
        self._failures = 0

    def submit(self, request: Request, send: Send) -> None:
        """Serve a request; `send` is called in this thread with its last message, however it ends."""
        self.inbox.put(lambda: self._add(request, send))

    def cancel(self, name: str) -> None:
        """End a request before its time; nothing if it has ended."""
        self.inbox.put(lambda: self.engine.cancel(name) if name in self._waiting else None)

    def stop(self) -> None:
        """End the thread after what is in its inbox."""
        self.inbox.put(None)

    def run(self) -> None:
        """Read letters, step, deliver; sleep while there is nothing to do."""
        while True:
            try:
                letter = self.inbox.get(block=not self.engine.busy)
            except queue.Empty:
                self._step()
                continue
            if letter is None:
                return
            letter()
            self._deliver()

    def _add(self, request: Request, send: Send) -> None:
        try:
            self.engine.add(request)
            self._waiting[request.id] = send
        except ValueError as problem:
            send({"id": request.id, "status": "duplicate", "reason": str(problem)})

    def _step(self) -> None:
        try:
            self.engine.step()
            self._failures = 0
        except Exception as problem:  # the next step does it again; who has failed TRIES times is told
            self._failures += 1
            if self._failures >= TRIES:
                self._failures = 0
                for name in list(self._waiting):
                    self.engine.cancel(name)
                    self._waiting.pop(name)({"id": name, "status": "failed", "reason": f"the engine: {problem}"})
        self._deliver()

    def _deliver(self) -> None:
        for name, result in self.engine.results().items():
            send = self._waiting.pop(name, None)
            if send is not None:
                send({"id": name, "status": result.status, "reason": result.reason, "tokens": list(result.tokens)})


class Refusal(Exception):
    """A call that is answered with a status code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.code, self.reason = code, reason


class Front:
    """The calls that come over HTTP."""

    def __init__(self, engine: Engine, doors: Doors | None = None) -> None:
        """Make the application; the engine's thread starts and ends with it."""
        self.doors, self.owner, self.in_flight = doors or Doors(), Owner(engine), set[str]()
        routes = [Route("/generate", self.generate, methods=["POST"]), Route("/health", self.health)]
        self.app = Starlette(routes=routes, lifespan=self._life)

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        self.owner.start()
        try:
            yield
        finally:
            self.owner.stop()

    async def health(self, call: Call) -> Response:
        """Say how many requests are in flight."""
        return JSONResponse({"in_flight": len(self.in_flight), "alive": self.owner.is_alive()})

    async def generate(self, call: Call) -> Response:
        """Read a request, take it or refuse it, stream its tokens."""
        try:
            fields = await self._body(call)
            if len(self.in_flight) >= self.doors.in_flight:
                raise Refusal(503, f"{self.doors.in_flight} requests are in flight: come again")
            letters: asyncio.Queue[Letter] = asyncio.Queue()
            loop = asyncio.get_running_loop()
            request = self._request(fields, lambda letter: loop.call_soon_threadsafe(letters.put_nowait, letter))
            if request.id in self.in_flight:
                raise Refusal(409, f"request {request.id!r} is in flight: take another id")
        except Refusal as refusal:
            headers = {"Retry-After": "1"} if refusal.code == 503 else None
            return JSONResponse({"reason": refusal.reason}, refusal.code, headers)
        self.in_flight.add(request.id)
        self.owner.submit(request, lambda letter: loop.call_soon_threadsafe(letters.put_nowait, letter))
        first = await letters.get()
        if first.get("status") in (REFUSED, "duplicate"):
            self.in_flight.discard(request.id)
            code = 409 if first["status"] == "duplicate" else 503 if "queue is full" in first["reason"] else 422
            return JSONResponse({"id": request.id, "reason": first["reason"]}, code)
        return StreamingResponse(self._lines(request.id, first, letters), media_type="application/x-ndjson")

    async def _lines(self, name: str, letter: Letter, letters: asyncio.Queue[Letter]) -> AsyncIterator[str]:
        """Yield letter after letter; a client that goes away takes its request with it."""
        try:
            while True:
                yield json.dumps(letter) + "\n"
                if "status" in letter:
                    return
                letter = await letters.get()
        finally:
            self.in_flight.discard(name)
            self.owner.cancel(name)

    async def _body(self, call: Call) -> dict[str, Any]:
        data = b""
        async for part in call.stream():
            data += part
            if len(data) > self.doors.body:
                raise Refusal(413, f"a body has at most {self.doors.body} bytes")
        try:
            fields = json.loads(data)
        except (ValueError, RecursionError) as problem:
            raise Refusal(400, f"the body is not JSON: {problem}") from None
        if not isinstance(fields, dict):
            raise Refusal(400, "the body is an object with a prompt")
        strange = sorted(set(fields) - set(FIELDS))
        if strange:
            raise Refusal(400, f"unknown: {', '.join(strange)}; known: {', '.join(FIELDS)}")
        return fields

    def _request(self, fields: dict[str, Any], send: Send) -> Request:
        """Return the request; the server sets everything that a client must not."""
        prompt, new = fields.get("prompt"), fields.get("max_new_tokens", 16)
        if isinstance(prompt, list) and len(prompt) > self.doors.prompt:
            raise Refusal(413, f"a prompt has at most {self.doors.prompt} tokens")
        if type(new) is int and new > self.doors.answer:
            raise Refusal(422, f"an answer has at most {self.doors.answer} tokens")
        name = fields.get("id") or uuid.uuid4().hex
        try:
            how = Sampling(
                fields.get("temperature", 0.0), fields.get("top_k", 0), fields.get("top_p", 1.0), fields.get("seed")
            )
            return Request(name, prompt, new, how, on_token=lambda name, token: send({"id": name, "token": token}))  # type: ignore[arg-type]
        except (ValueError, TypeError) as problem:
            raise Refusal(400, str(problem)) from None


@contextmanager
def listening(engine: Engine, doors: Doors | None = None, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve an engine over HTTP while the block runs; yield the address, on a free port unless one is given."""
    app = Front(engine, doors).app
    server = uvicorn.Server(uvicorn.Config(app, host, port, log_level="warning", timeout_graceful_shutdown=5))
    thread = threading.Thread(target=server.run, name="http", daemon=True)
    thread.start()
    while not server.started:
        if not thread.is_alive():
            raise RuntimeError(f"No server could be started on {host}, port {port}.")
        thread.join(0.01)
    try:
        yield f"http://{host}:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
