"""A learner of the room, played over HTTP: logs in, starts a server, runs cells in a kernel, saves a notebook."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any

import requests
import websocket

PATIENCE = 240.0  # seconds; a bound for a broken room, not a claim about a good one


class LearnerOverHttp:
    """One learner and everything that they hold: a session with the hub, a token, a kernel."""

    def __init__(self, hub: str, name: str, password: str) -> None:
        self.hub, self.name, self.password = hub, name, password
        self.session = requests.Session()
        self.session.trust_env = False
        self.token = ""
        self.kernel = ""
        self.seconds: dict[str, float] = {}

    # -- the hub

    def log_in(self, password: str = "") -> int:
        """Send the form of the login page; return the status of its answer (302 when it was right)."""
        began = time.monotonic()
        page = self.session.get(f"{self.hub}/hub/login", timeout=PATIENCE)
        form = {"username": self.name, "password": password or self.password, "_xsrf": self._xsrf("/hub/")}
        answer = self.session.post(page.url, data=form, allow_redirects=False, timeout=PATIENCE)
        self.seconds["login"] = time.monotonic() - began
        return answer.status_code

    def take_token(self) -> str:
        """Ask the hub for a token of this learner, with the session's cookie."""
        answer = self._hub("POST", f"users/{self.name}/tokens", json={"note": "test"})
        self.token = answer.json()["token"]
        return self.token

    def start_server(self) -> None:
        """Start the server and wait until it answers."""
        began = time.monotonic()
        self.until(lambda: self._hub("POST", f"users/{self.name}/server").status_code in (201, 202), "the hub's yes")
        self.until(lambda: self.ask("GET", "api/status").status_code == 200, "the server")
        self.seconds["server"] = time.monotonic() - began

    def _hub(self, method: str, path: str, **more: Any) -> requests.Response:
        headers = {"X-XSRFToken": self._xsrf("/hub/"), "Referer": f"{self.hub}/hub/"}
        return self.session.request(method, f"{self.hub}/hub/api/{path}", headers=headers, timeout=PATIENCE, **more)

    def _xsrf(self, path: str) -> str:
        return next(cookie.value for cookie in self.session.cookies if cookie.name == "_xsrf" and cookie.path == path)

    # -- the server

    def ask(self, method: str, path: str, owner: str = "", **more: Any) -> requests.Response:
        """Call the server of `owner` (this learner's own by default) with this learner's token."""
        with requests.Session() as plain:  # no cookies: the token alone counts
            plain.trust_env = False
            plain.headers["Authorization"] = f"token {self.token}"
            where = f"{self.hub}/user/{owner or self.name}/{path}"
            return plain.request(method, where, timeout=PATIENCE, allow_redirects=False, **more)

    def start_kernel(self, folder: str = "my-labs") -> str:
        """Start a kernel in a folder and run an empty cell in it; return its id."""
        began = time.monotonic()
        notebook = {"path": f"{folder}/{uuid.uuid4().hex}.ipynb", "type": "notebook", "name": "",
                    "kernel": {"name": "python3"}}
        kernel = self.ask("POST", "api/sessions", json=notebook).json()["kernel"]["id"]
        assert self.run(kernel, "pass") == ""
        self.seconds["kernel"] = time.monotonic() - began
        return kernel

    def run(self, kernel: str, code: str) -> str:
        """Run a cell and wait for its end; return what it printed. AssertionError, with the message, when it fails."""
        channel = self.begin(kernel, code)
        printed, deadline = [], time.monotonic() + PATIENCE
        try:
            while time.monotonic() < deadline:
                message = json.loads(channel.recv())
                if message.get("parent_header", {}).get("msg_id") != channel.asked:
                    continue
                content = message["content"]
                if message["msg_type"] == "stream":
                    printed.append(content["text"])
                elif message["msg_type"] == "error":
                    raise AssertionError(f"{content['ename']}: {content['evalue']}")
                elif message["msg_type"] == "status" and content["execution_state"] == "idle":
                    return "".join(printed)
        finally:
            channel.close()
        raise AssertionError(f"{self.name}: no end of the cell after {PATIENCE:g} s")

    def begin(self, kernel: str, code: str) -> websocket.WebSocket:
        """Send a cell without waiting for it; return the channel, on which its messages come."""
        where = f"{self.hub.replace('http', 'ws')}/user/{self.name}/api/kernels/{kernel}/channels"
        channel = Channel()
        channel.settimeout(PATIENCE)
        channel.connect(where, header=[f"Authorization: token {self.token}"], http_no_proxy=["*"])
        channel.asked = uuid.uuid4().hex
        header = {"msg_id": channel.asked, "username": self.name, "session": "test", "msg_type": "execute_request",
                  "version": "5.3"}
        content = {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False,
                   "stop_on_error": False}  # what waits behind a cell that fails is run all the same
        channel.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content,
                                 "channel": "shell", "buffers": []}))
        return channel

    def save(self, path: str, notebook: dict) -> None:
        """Save a notebook in the learner's folder."""
        body = {"type": "notebook", "format": "json", "content": notebook}
        answer = self.ask("PUT", f"api/contents/{path}", json=body)
        assert answer.status_code in (200, 201), answer.text

    def read(self, path: str) -> dict:
        """Return a notebook as the server has it."""
        return self.ask("GET", f"api/contents/{path}?content=1").json()["content"]

    def until(self, ready: Any, what: str) -> None:
        """Wait until `ready` is true; AssertionError, which names `what`, when it does not become so."""
        deadline = time.monotonic() + PATIENCE
        while not ready():
            assert time.monotonic() < deadline, f"{self.name}: {what} did not come within {PATIENCE:g} s"
            time.sleep(0.2)


class Channel(websocket.WebSocket):
    """A kernel's channel, and the id of the cell that was sent on it."""

    asked = ""
