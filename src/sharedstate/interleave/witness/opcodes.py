"""Every instruction of followed code, before it is executed: `sys.settrace` on 3.11, `sys.monitoring` from 3.12."""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from opcode import opname
from pathlib import Path, PurePath
from types import CodeType, FrameType
from typing import Any, Protocol

OWN = str(Path(__file__).parent)


class Turns(Protocol):
    """A schedule, as far as an instruction asks: is it time to decide something?"""

    count: int
    alarm: int
    code: CodeType | None
    offset: int
    current: Any

    def decide(self, task: Any, code: CodeType, offset: int) -> None:
        """`task` stands before an instruction at which something may have to happen."""


class Part(Protocol):
    """A thread's part in a schedule; that of the caller (setup, outcome) is not `on_stage`."""

    @property
    def run(self) -> Turns:
        """The schedule."""

    @property
    def on_stage(self) -> bool:
        """It has turns to give away."""


class Opcodes:
    """Calls `decide` of a schedule at the instructions of threads that play a part in it."""

    def __init__(self, follow: Callable[[CodeType], bool], parts: dict[int, Any]) -> None:
        self.follow, self.parts = follow, parts
        self.seen: dict[int, tuple[CodeType, bool]] = {}  # keeps the code alive: its id is the key
        self.tool: int | None = None

    def open(self) -> str:
        """Take hold of the tracing; why not, if another tool has it."""
        if sys.gettrace() is not None or threading.gettrace() is not None:
            return "another tool owns tracing here (a debugger or coverage)"
        if sys.version_info >= (3, 12) and not self.monitor():
            return "other tools have taken the ids of sys.monitoring"
        return ""

    def close(self) -> None:
        """Leave no event, callback or id behind."""
        if self.tool is None:
            return
        monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        monitoring.set_events(self.tool, 0)
        for code, followed in self.seen.values():
            if followed:
                monitoring.set_local_events(self.tool, code, 0)
        for event in (monitoring.events.PY_START, monitoring.events.INSTRUCTION):
            monitoring.register_callback(self.tool, event, None)
        monitoring.free_tool_id(self.tool)
        self.tool = None

    def follows(self, code: CodeType) -> bool:
        """Whether the instructions of this code are places to switch at."""
        entry = self.seen.get(id(code))
        if entry is None:
            try:
                yes = not code.co_filename.startswith((OWN, "<frozen")) and bool(self.follow(code))
            except Exception:  # a predicate that fails on some code does not want it
                yes = False
            entry = self.seen[id(code)] = code, yes
        return entry[1]

    def begin(self, task: Part) -> None:
        """See the instructions of the calling thread (Python 3.11; later ones are told by `parts`)."""
        if self.tool is not None:
            return
        run = task.run

        def local(frame: FrameType, event: str, arg: object) -> Callable:
            if event == "opcode":
                run.count = now = run.count + 1
                here = frame.f_lasti == run.offset and frame.f_code is run.code
                if here or now >= run.alarm or run.current is not task:
                    run.decide(task, frame.f_code, frame.f_lasti)
            return local

        def entered(frame: FrameType, event: str, arg: object) -> Callable | None:
            if not self.follows(frame.f_code):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            return local

        sys.settrace(entered)

    def end(self) -> None:
        """See no more of the calling thread."""
        if self.tool is None:
            sys.settrace(None)

    def monitor(self) -> bool:
        """Ask for the instructions of followed code as it is first met; its first run stays unseen."""
        monitoring = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        parts, instructions = self.parts, monitoring.events.INSTRUCTION
        tool = next((number for number in (4, 3) if monitoring.get_tool(number) is None), None)
        if tool is None:
            return False

        def entered(code: CodeType, offset: int) -> None:
            if id(code) not in self.seen and _thread.get_ident() in parts and self.follows(code):
                monitoring.set_local_events(tool, code, instructions)

        def instruction(code: CodeType, offset: int) -> None:
            task = parts.get(_thread.get_ident())
            if task is not None and task.on_stage:
                run = task.run
                run.count = now = run.count + 1
                if now >= run.alarm or run.current is not task or (offset == run.offset and code is run.code):
                    run.decide(task, code, offset)

        monitoring.use_tool_id(tool, "second witness")
        self.tool = tool
        monitoring.register_callback(tool, monitoring.events.PY_START, entered)
        monitoring.register_callback(tool, instructions, instruction)
        monitoring.set_events(tool, monitoring.events.PY_START)
        return True

    def place(self) -> tuple[CodeType | None, int]:
        """Where in followed code the calling thread is; asks nobody, since the answer could be traced itself."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and not self.seen.get(id(frame.f_code), (None, False))[1]:
            frame = frame.f_back
        return (frame.f_code, frame.f_lasti) if frame else (None, 0)


def where(code: CodeType | None, offset: int, named: bool) -> str:
    """The place of an instruction in words, `named` with its opcode."""
    if code is None:
        return ""
    line = next((line for start, end, line in code.co_lines() if start <= offset < end), None)
    what = f" {opname[code.co_code[offset]]}" if named else ""
    return f"{what} in {code.co_name}, {PurePath(code.co_filename).name}:{line}"
