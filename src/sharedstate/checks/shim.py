"""The child's side of a check: executes what it is sent, and answers (case in, value out). It judges nothing.

Started by child.py as a process of its own, never imported by a notebook. Its pipes are private duplicates;
what the learner's code finds as standard input, output and error is the null device.
"""

from __future__ import annotations

import builtins
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from .assess import assess, exception_text, require_expected, run_case, untouched
from .bank import load_answer
from .outside import OURS, THEIRS, raised
from .registry import Registry
from .types import AnswerProblem, Case, Exercise
from .wire import decode, encode

if sys.platform != "win32":
    import resource

NOTEBOOK = "notebook"


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Move the two pipes to fresh descriptors and put the null device in the place of 0, 1 and 2."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    sys.stdin = os.fdopen(os.dup(0), "r", encoding="utf-8")
    sys.stdout = sys.stderr = os.fdopen(os.dup(1), "w", encoding="utf-8")
    return requests, replies


def obey(orders: dict[str, Any]) -> None:
    """Take on the limits that the box asks for, and another user's number, before anything else is executed."""
    for name, number in orders.get("limits", {}).items() if sys.platform != "win32" else ():
        limit = getattr(resource, f"RLIMIT_{name.upper()}")
        most = resource.getrlimit(limit)[1]
        number = number if most == resource.RLIM_INFINITY else min(number, most)
        resource.setrlimit(limit, (number, number))
    user = orders.get("user")
    if user and sys.platform != "win32":
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)


def make_shell() -> Any:
    """Return IPython's shell without a kernel: magics, top-level await and display work."""
    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    setattr(shell, "enable_gui", lambda gui=None: None)  # noqa: B010 (a method, put out of action)
    return shell


def silence_check() -> None:
    """Replace the check that a lab calls, and what nbgrader's cells call: here they have no say."""
    def quiet(*_: object, **__: object) -> None:
        """Do nothing: the grader asks the questions."""

    for name in ("check", "earned"):
        setattr(sys.modules["sharedstate.checks"], name, quiet)  # the names that a lab imports


class Ours:
    """In the child: an object of the judge's. A call of it, or an attribute, is asked for over the pipe."""

    def __init__(self, shim: Shim, number: int) -> None:
        self.__dict__["_at"] = (shim, number)

    def __call__(self, *given: Any, **named: Any) -> Any:
        shim, number = self.__dict__["_at"]
        return shim.wanted(what="call", on=number, given=given, named=named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        shim, number = self.__dict__["_at"]
        return shim.wanted(what="get", on=number, name=name, given=(), named={})


class Shim:
    """Answers requests, one at a time; each reply carries its request's nonce."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.kept: list[Any] = []
        self.asking = threading.RLock()
        self.pipes: tuple[BinaryIO, BinaryIO] | None = None
        self.nonce = ""
        self.shell: Any = None
        self.answers: dict[str, object] = {}

    def serve(self, requests: BinaryIO, replies: BinaryIO) -> None:
        """Answer until the pipe closes."""
        self.pipes, handle = (requests, replies), self.handle
        while request := self.read():
            self.write(handle(request))

    def read(self, loads: Callable = json.loads) -> dict:
        """Return the next request, {} at the end of the pipe."""
        assert self.pipes is not None
        line = self.pipes[0].readline()
        request = loads(line) if line else {}
        self.nonce = request.get("nonce", "")
        return request

    def write(self, reply: dict, dumps: Callable = json.dumps) -> None:
        """Send a reply to the request that was read last."""
        assert self.pipes is not None
        self.pipes[1].write(dumps({"nonce": self.nonce, **reply}).encode() + b"\n")
        self.pipes[1].flush()

    def handle(self, request: dict) -> dict:
        """Do one request; whatever goes wrong becomes part of the reply."""
        actions: dict[str, Callable[[dict], dict]] = {
            "cell": self.cell, "source": self.source, "answer": self.answer, "assess": self.assess,
            "begin": self.begin, "ask": self.ask}
        try:
            return actions[request["do"]](request)
        except AnswerProblem as problem:
            return {"problem": [problem.reason, problem.message]}
        except BaseException as error:
            return {"problem": ["exception", exception_text(error, "")]}

    def cell(self, request: dict) -> dict:
        """Execute a notebook cell in the shell; an error in it is told, and does not stop the rest."""
        self.shell = self.shell or make_shell()
        result = self.shell.run_cell(request["source"], store_history=False)
        error = result.error_before_exec or result.error_in_exec
        return {"error": exception_text(error, "") if error else None}

    def source(self, request: dict) -> dict:
        """Execute a source in a namespace of its own; the answer is kept under a handle."""
        loaded = load_answer(request["source"], request["handle"], request["name"], request["setup"])
        self.answers[request["handle"]] = loaded
        return {}

    def answer(self, request: dict) -> dict:
        """Run the answer on one case and return its value as JSON text."""
        exercise = self.registry.exercise(request["exercise"])
        found = self._find(exercise, request["handle"])
        if untouched(found):
            raise AnswerProblem("untouched", f"`{exercise.answer}` is still empty.")
        require_expected(exercise, found)
        text, problem = run_case(exercise, found, Case.from_json(request["case"]), request["limit"])
        if problem is not None:
            raise problem
        return {"value": text}

    def begin(self, request: dict) -> dict:
        """Return the answer itself: by value where it is plain, else as a number that stands for it."""
        self.kept.clear()
        return {"back": encode(self._find(self.registry.exercise(request["exercise"]), request["handle"]), self.keep)}

    def ask(self, request: dict) -> dict:
        """Do something to an object that stayed here: what a check in the judge's process does to its answer."""
        one = self.kept[request["on"]]
        given, named = (decode(request[part], self.known) for part in ("given", "named"))
        done: dict[str, Callable[[], object]] = {
            "call": lambda: one(*given, **named), "get": lambda: getattr(one, request["name"]),
            "item": lambda: one[given[0]], "len": lambda: len(one), "iter": lambda: iter(one),
            "next": lambda: next(one)}
        try:
            return {"back": encode(done[request["what"]](), self.keep)}
        except BaseException as error:
            return {"raised": raised(error, self.keep)}

    def wanted(self, **question: Any) -> Any:
        """Ask the judge for something of its own, in the middle of a call; raises what is raised there."""
        with self.asking:
            coded = {part: encode(question.pop(part), self.keep) for part in ("given", "named")}
            self.write({"wants": {**question, **coded}})
            reply = self.read()
        if "raised" in reply:
            classes, given, _ = reply["raised"]
            kind = next((getattr(builtins, name) for module, name in classes if module == "builtins"), Exception)
            raise kind(*decode(given, self.known))
        return decode(reply["back"], self.known)

    def keep(self, one: object) -> list:
        """Note an object that stays here; return what stands for it."""
        if isinstance(one, Ours):
            return [OURS, one.__dict__["_at"][1]]
        self.kept.append(one)
        return [THEIRS, len(self.kept) - 1]

    def known(self, tag: str, number: int) -> object:
        """Return what a number stands for."""
        return Ours(self, number) if tag == OURS else self.kept[number]

    def assess(self, request: dict) -> dict:
        """Judge here, where the notebook ran: only for a learner's own look, since a notebook can fool it."""
        exercise = self.registry.exercise(request["exercise"])
        return {"verdict": assess(exercise, self._find(exercise, NOTEBOOK), request["seed"]).to_json()}

    def _find(self, exercise: Exercise, handle: str) -> object:
        known = self.shell.user_ns if handle == NOTEBOOK and self.shell else {}
        found = known.get(exercise.answer, Shim) if handle == NOTEBOOK else self.answers.get(handle, Shim)
        if found is Shim:
            raise AnswerProblem("missing", f"Nothing here defines `{exercise.answer}`.")
        return found


def main() -> None:
    """Serve until the pipe closes; argv[2] is JSON: {"course": folder, "path": [folders], and the box's orders}."""
    told = json.loads(sys.argv[2])
    obey(told)
    sys.path[:0] = told["path"]
    requests, replies = private_pipes()
    silence_check()
    Shim(Registry(Path(told["course"]))).serve(requests, replies)
    os._exit(0)  # threads that the notebook left behind do not hold the process
