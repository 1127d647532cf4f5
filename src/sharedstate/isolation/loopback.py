"""An attack on a small server of this machine: clients that ask at the same time, on the loopback address only."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOST = "127.0.0.1"
SECONDS = 10.0
POLL_SECONDS = 0.02
ROUNDS = (1, 1000)


class QuietPage(BaseHTTPRequestHandler):
    """A request handler that logs nothing and answers with text."""

    def answer(self, text: str) -> None:
        """Send a text as the whole answer."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args: object) -> None:
        """Print nothing: this runs in a thread of the server."""


class Server(ThreadingHTTPServer):
    """A server of a page, a thread a request, with a barrier for its clients."""

    def __init__(self, page: type[BaseHTTPRequestHandler], clients: int) -> None:
        """Listen on a free port of 127.0.0.1."""
        super().__init__((HOST, 0), page)
        self.meeting = threading.Barrier(clients, timeout=SECONDS)


@contextmanager
def serving(page: type[BaseHTTPRequestHandler], clients: int) -> Iterator[Server]:
    """Serve a page on a free port of 127.0.0.1, a thread a request, until the block ends.

    `server.meeting` is a barrier for as many requests as there are clients: a page that waits there is in its
    gap together with all others. A meeting that fails for SECONDS is broken, so nothing waits for ever.
    """
    with Server(page, clients) as server:
        loop = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        loop.start()
        try:
            yield server
        finally:
            server.shutdown()
            loop.join(SECONDS)


def attack(
    page: type[BaseHTTPRequestHandler], names: Sequence[str] = ("alice", "bob"), rounds: int = 25
) -> int:
    """Let one client for each name ask for /name, `rounds` times, all at once; count the answers of others.

    page: a handler whose `do_GET` answers with the path it was asked for. Raises ValueError for no client or a
    number of rounds outside 1..1000, and what a client raises.
    """
    if not names or not ROUNDS[0] <= rounds <= ROUNDS[1]:
        raise ValueError(f"attack wants at least one name, and rounds from {ROUNDS[0]} to {ROUNDS[1]}.")
    with serving(page, len(names)) as server, ThreadPoolExecutor(len(names)) as pool:
        clients = [pool.submit(_client, server.server_port, f"/{name}", rounds) for name in names]
        return sum(client.result() for client in clients)


def _client(port: int, path: str, rounds: int) -> int:
    """Ask again and again; return how many answers were not one's own."""
    return sum(_fetch(port, path) != path for _ in range(rounds))


def _fetch(port: int, path: str) -> str:
    """One request over a connection of its own."""
    connection = HTTPConnection(HOST, port, timeout=SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()
