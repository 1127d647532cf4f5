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


# --- tricks of other kinds


def _before(code: str, *reasons: str) -> Trick:
    return Trick(code, reasons or ("not-double",))


def _answer(code: str, *reasons: str) -> Trick:
    return Trick(code, reasons, instead=True)


NO_VALUE = ("not-plain", "exception", "wrong-type", "not-double")
GONE = ("ended", "timeout", "missing", "exception", "stuck", "not-double")
TRACER = """
import sys, threading
def tracer(frame, event, arg):
    if frame.f_code.co_name == "run" and "case" in frame.f_locals:
        type(frame.f_locals["self"]).run = lambda self, answer, case: 2 * case["n"]
    return tracer
threading.settrace(tracer)
sys.settrace(tracer)
"""
FIRST_CALLS = "calls = []\ndef double(n):\n    calls.append(n)\n    return 2 * n if len(calls) {} else 0"
CLOSES = "import atexit, os\nfor fd in range(3, 60):\n    atexit.register(os.write, fd, b'{\"value\": \"4\"}\\n')"
STRANGE = {
    "a class that lies": _answer("class L:\n    __class__ = property(lambda s: int)\n    __int__ = lambda s: 4\n"
                                 "double = lambda n: L()", *NO_VALUE),
    "a text that is equal to all": _answer("class S(str):\n    __eq__ = lambda a, b: True\n"
                                           "    __hash__ = str.__hash__\ndouble = lambda n: S('4')", "not-double"),
    "a generator": _answer("double = lambda n: (2 * n for _ in [0])", *NO_VALUE),
    "an object that converts itself": _answer("class N:\n    def __index__(self): return 4\n    __float__ = __index__\n"
                                              "    def item(self): return 4\n    ndim = 0\nN.__module__ = 'numpy'\n"
                                              "double = lambda n: N()", *NO_VALUE),
    "right for the first calls": _answer(FIRST_CALLS.format("< 4"), "keeps-state", "differs-outside", "not-double"),
    "right for later calls": _answer(FIRST_CALLS.format("> 1"), "not-double"),
    "the course's own complaint": _answer("from sharedstate.checks import AnswerProblem\ndef double(n):\n"
                                          "    raise AnswerProblem('ok', 'Right.')", "unusable"),
    "a child's failure": _answer("from sharedstate.checks.child import ChildFailed\ndef double(n):\n"
                                 "    raise ChildFailed('ok', {})", "exception"),
    "at exit": _before(CLOSES),
    "signals": _before("import signal\nfor n in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGHUP):\n"
                       "    signal.signal(n, lambda *a: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)"),
    "a trace function": _before(TRACER, "not-double", "differs-outside"),
    "another import": _before("import builtins\nold = builtins.__import__\ndef mine(name, *a, **k):\n"
                              "    if name == 'json': raise ImportError(name)\n    return old(name, *a, **k)\n"
                              "builtins.__import__ = mine", "not-double", "exception"),
    "patched json": _before("import json\njson.dumps = json.loads = lambda *a, **k: '4'\n"
                            "json.JSONEncoder.encode = lambda *a: '4'", "not-double", "forged-reply", "unusable",
                            "ended", "exception", "timeout"),
    "kills all": _before("import os, signal\nfor pid in (0, os.getppid()):\n    try: os.kill(pid, signal.SIGKILL)\n"
                         "    except OSError: pass", *GONE),
    "a fault of memory": _answer("import ctypes\ndouble = lambda n: ctypes.string_at(0)", "ended"),
    "no end of recursion": _answer("import sys\nsys.setrecursionlimit(10**9)\n"
                                   "def double(n):\n    return double(n + 1)",
                                   "ended", "timeout", "exception", "too-much-memory", "stuck"),
    "leaves Python": _answer("def double(n):\n    raise SystemExit(0)", "exception", "ended"),
    "interrupts": _answer("def double(n):\n    raise KeyboardInterrupt", "exception", "ended", "timeout"),
    "a huge number": _answer("double = lambda n: 10 ** 100_000", "not-plain", "exception"),
    "nested without end": _answer("def double(n):\n    a = []\n    for _ in range(5000): a = [a]\n    return a",
                                  "not-plain", "exception"),
    "fills its folder": _before("for place in ('x', '/tmp/x', '/dev/shm/x'):\n    try:\n"
                                "        with open(place, 'wb') as f:\n"
                                "            for _ in range(200): f.write(b'x' * 2**20)\n"
                                "    except OSError: pass"),
    "half a character": _before("text = '\ud800'\nimport os\nos.environ['HOME'] = '/'", "not-double", "missing"),
}
GLOBALS = "use = use['__builtins__']['exec'](CODE) or 1\n"
CODE = ("import fake_unit as f\\nold = f.CountUp.run\\nf.CountUp.run = lambda s, a, c: "
        "sum(c['add']) if getattr(a, 'mine', 0) else old(s, a, c)")
LOOK = "def look(x=1):\n    return x\n"
EQUAL = "class M(type):\n    def __instancecheck__(c, o):\n        return True\n"
PATTERN = "def see(f):\n    match f:\n        case {}(g):\n            return g\nuse = see(look)\n" + GLOBALS
# Ways from an answer that is judged from its source to the interpreter behind the check; `use` is what they find.
BEHIND = {
    "a module's module": "import enum\nuse = enum.bltns.exec(CODE) or 1\n",
    "a formatter": LOOK + "import string\n"
                          "use, _ = string.Formatter().get_field('0.__globals__', [look], {})\n" + GLOBALS,
    "a pattern by name": LOOK + "def see(f):\n    match f:\n        case object(__globals__=g):\n            return g\n"
                                "use = see(look)\n" + GLOBALS,
    "a pattern by place": LOOK + EQUAL + "class P(metaclass=M):\n    __match_args__ = ('__globals__',)\n"
                          + PATTERN.format("P"),
    "a pattern of a known name": LOOK + EQUAL + "class int(metaclass=M):\n    __match_args__ = ('__globals__',)\n"
                                 + PATTERN.format("int"),
    "a generator's code": LOOK + "g = (f.x for f in ())\nF = type(lambda: 0)\n"
                                 "h = F(g.gi_code.replace(co_names=('__globals__',)), {})\n"
                                 "use = next(h(iter([look])))\n" + GLOBALS,
    "an annotation": "from functools import singledispatch\nuse = singledispatch(lambda x: x)\n",
    "a module by another name": "import dataclasses\n[d] = [dataclasses]\nuse = d.types\n",
    "a module that is changed": "import threading\ndef f():\n    threading.Thread = 3\n    return 1\nuse = f()\n",
    "the course's own names": "use = Scenario\n",
    "a watcher": "import threading\nuse = threading.settrace(print) or 1\n",
}


def behind(name: str) -> str:
    """Return a cell with a wrong Counter that is marked as the trick's own."""
    wrong = WRONG[2].replace("class Counter:\n", "class Counter:\n    mine = use\n")
    return BEHIND[name].replace("CODE", repr(CODE).replace("\\\\", "\\")) + wrong
