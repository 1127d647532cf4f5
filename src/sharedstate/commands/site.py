"""`site`: the lessons as web pages that can be read, and tried, without anything installed."""

from __future__ import annotations

import functools
import sys
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType

import click

from sharedstate import paths
from sharedstate.commands.talk import UNIT_HELP, friendly
from sharedstate.site.build import build

HOST, PORT = "127.0.0.1", 8000


class Pages(SimpleHTTPRequestHandler):
    """Serves a folder. What a browser runs has its type, whatever this system's tables say."""

    extensions_map = MappingProxyType({  # type: ignore[assignment]
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html",
        ".css": "text/css", ".json": "application/json", ".zip": "application/zip", ".svg": "image/svg+xml",
    })  # fmt: skip

    def log_message(self, *args: object) -> None:
        """Print nothing for a page that was read."""


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server for a built site on this machine only; port 0 takes a free one. It does not serve yet."""
    return ThreadingHTTPServer((HOST, port), functools.partial(Pages, directory=str(folder)))


@click.command("site", epilog=UNIT_HELP)
@click.argument("units", nargs=-1, metavar="[UNIT]...")
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Where to; else .run/site.")
@click.option("--serve", is_flag=True, help="Show what is built, at an address of this machine only.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="For --serve; 0: any.")
@friendly
def command(units: tuple[str, ...], out: Path | None, serve: bool, port: int) -> None:
    """Build the course as web pages, with boxes that run its programs in the browser."""
    folder = out or paths.root() / ".run" / "site"
    if not serve or units or not (folder / "index.html").is_file():
        began = time.monotonic()
        problems = build(paths.root(), units, folder)
        for problem in problems:
            click.echo(problem)
        if problems:
            click.echo(f"{len(problems)} to correct.")
            sys.exit(1)
        click.echo(f"Built {folder} in {time.monotonic() - began:.0f} s. Look at it: python run.py site --serve")
    if serve:
        _serve(folder, port)


def _serve(folder: Path, port: int) -> None:
    """Serve the folder until Ctrl-C."""
    with server(folder, port) as running:
        click.echo(f"http://{HOST}:{running.server_port}/ shows {folder}. Stop it with Ctrl-C here.")
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            click.echo("Stopped.")
