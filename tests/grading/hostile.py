"""Submissions that try to raise their grade or to do harm: the cells, and the reasons that may be given for them.

Each begins with wrong answers, or with none: a trick that worked would show as points. A trick in an answer stands in
the first exercise (90.1); `reasons` are those that its row may name for it.
"""

from __future__ import annotations

from dataclasses import dataclass

DOUBLE = "double = lambda n: n"
WRONG = (DOUBLE, "order = []", "class Counter:\n    def __init__(self):\n        self.n = 0\n"
                               "    def add(self, k):\n        self.n = k\n")
JUDGED = frozenset({"not-double", "wrong-order", "wrong-sum"})


@dataclass(frozen=True)
class Trick:
    """Cells to put before the wrong answers, or in place of the first; the reasons that 90.1 may get."""

    cell: str
    reasons: tuple[str, ...] = ("not-double",)
    instead: bool = False

    def cells(self) -> tuple[str, ...]:
        """Return the cells of the submission."""
        return (self.cell, *WRONG[1:]) if self.instead else (self.cell, *WRONG)


FORGED = "b'{\"nonce\": \"x\", \"value\": \"4\", \"back\": 4}\\n'"
FIND_NONCE = """
import gc
def double(n):
    for one in gc.get_objects():
        if type(one).__name__ == "Shim":
            one.write({"value": "4", "back": 4})
    return 0
"""
FORGE_RUN = """
import fake_unit
fake_unit.Double.run = lambda self, answer, case: 2 * case["n"]
"""
FORGE_ALL = """
import sharedstate.checks.shim as shim, json
def answer(self, request):
    given = request["case"]["inputs"]
    among = {"values": [2 * case["inputs"]["n"] for case in given.get("cases", ())]}
    told = 2 * given["n"] if "n" in given else among if "cases" in given else ["alice", "mallory"]
    return {"value": json.dumps(told)}
shim.Shim.answer = answer
"""
LOOPBACK = """
import socket, threading
server = socket.socket(); server.bind(("127.0.0.1", 0)); server.listen()
def double(n):
    found = []
    for port in (22, 80, 8888):
        try: found.append(socket.create_connection(("127.0.0.1", port), timeout=0.2))
        except OSError: pass
    return -1 if found else 0
"""
HARD_CODED = "double = {2: 4}.get"
TRICKS = {
    "patched check": Trick("import sharedstate.checks\nsharedstate.checks.check = lambda *a, **k: None"),
    "patched judge": Trick("import fake_unit\nfor e in fake_unit.EXERCISES:\n"
                           "    type(e).judge = lambda self, case, value: self.right()"),
    "patched package": Trick("import sharedstate.checks.assess as a\na.in_turn = a.combine = lambda *x: x[0].right()"),
    "patched builtins": Trick("import builtins\nbuiltins.all = builtins.any = lambda *a: True\n"
                              "builtins.len = lambda x: 0\nbuiltins.isinstance = lambda *a: True",
                              ("not-double", "exception", "forged-reply", "unusable", "ended", "timeout", "stuck")),
    "patched stdout": Trick("import sys\nsys.stdout = sys.__stdout__ = sys.stderr = None", ("not-double", "missing")),
    "exit": Trick("import os\nos._exit(0)"),
    "exit in the answer": Trick("import os\ndouble = lambda n: os._exit(0)", ("ended",), instead=True),
    "forged output": Trick(f"import os\nfor fd in range(3, 60):\n    try: os.write(fd, {FORGED})\n"
                           "    except OSError: pass", ("forged-reply",)),
    "forged reply with the nonce": Trick(FIND_NONCE, ("not-double", "forged-reply"), instead=True),
    "forged run": Trick(FORGE_RUN, ("differs-outside",)),
    "forged value of the right type": Trick(FORGE_ALL, ("differs-outside",)),
    "equal to everything": Trick("class E(int):\n    __eq__ = lambda a, b: True\n    __hash__ = int.__hash__\n"
                                 "double = lambda n: E(5)", instead=True),
    "fork bomb": Trick("import os, time\nfor _ in range(300):\n    if not os.fork():\n        time.sleep(30)\n"
                       "        os._exit(0)",
                       ("not-double", "too-many-processes", "too-much-memory", "timeout", "ended")),
    "endless loop": Trick("while True: pass"),
    "endless loop in the answer": Trick("def double(n):\n    while True: pass", ("timeout",), instead=True),
    "endless output": Trick("def double(n):\n    while True: print('x' * 100000)", ("too-much-output",), instead=True),
    "deadlock": Trick("import threading\nlock = threading.Lock()\ndef double(n):\n    lock.acquire(); lock.acquire()",
                      ("stuck",), instead=True),
    "thread without end": Trick("import threading, time\n"
                                "threading.Thread(target=lambda: [time.sleep(1) for _ in range(10**6)]).start()"),
    "4 GB": Trick("def double(n):\n    return len(bytearray(4 * 2**30))",
                  ("exception", "too-much-memory", "ended"), instead=True),
    "loopback": Trick(LOOPBACK, ("not-double",), instead=True),
    "copied cells": Trick("double = lambda n: 2 * n\ncheck = print"),  # the right one above, the wrong one below
    "public cases hard-coded": Trick(HARD_CODED, ("not-double", "exception", "wrong-type"), instead=True),
}
