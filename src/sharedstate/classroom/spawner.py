"""The room's spawner: JupyterHub's simple one, which also hands the labs out and limits a process's memory.

It starts every server as the same user of the system. That bears a class; it does not keep one person's files from
another's. docs/room.md says which spawners do.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from jupyterhub.spawner import SimpleLocalProcessSpawner
from traitlets import Dict, Unicode

from sharedstate.classroom.handout import hand_out


class RoomSpawner(SimpleLocalProcessSpawner):
    """course: the course's folder; files and places: see handout.hand_out and `user_env`."""

    course = Unicode(help="The folder that holds notebooks/ and labs/.").tag(config=True)
    files = Dict(help="Settings {path below the learner's folder: text}.").tag(config=True)
    places = Dict(help="Environment {name: path}, {home} standing for the learner's folder.").tag(config=True)

    async def start(self) -> object:
        """Hand out what is new, then start the server."""
        await asyncio.to_thread(hand_out, Path(self.home_dir), Path(self.course), dict(self.files))
        return await super().start()

    def user_env(self, env: dict[str, str]) -> dict[str, str]:
        """Point every writer of settings, histories and caches into the learner's own folder; know `sharedstate`."""
        own = {name: place.format(home=self.home_dir) for name, place in self.places.items()}
        words = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", os.defpath)])
        return {**super().user_env(env), **own, "PATH": words}

    def get_args(self) -> list[str]:
        """Show the learner's folder, and nothing above it."""
        return [*super().get_args(), f"--ServerApp.root_dir={self.home_dir}"]

    def make_preexec_fn(self, name: str) -> Callable[[], None]:
        """Limit each process of the learner to `mem_limit` bytes of data, before it starts."""
        before, most = super().make_preexec_fn(name), self.mem_limit

        def enter() -> None:
            before()
            os.umask(0o077)
            if most:
                resource.setrlimit(resource.RLIMIT_DATA, (most, most))

        return enter
