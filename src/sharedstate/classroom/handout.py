"""What a learner of the room gets at the first login: a folder with the lessons and an own copy of every lab."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from sharedstate.files import file_lock

# Where in the course, and where in the learner's folder.
HANDED_OUT = (("notebooks", "notebooks"), ("labs", "my-labs"))


def hand_out(home: Path, course: Path, files: Mapping[str, str]) -> list[str]:
    """Copy what the learner's folder does not hold yet; return the new files. Nothing there is ever overwritten.

    files: {path below the folder: text} of the settings. Raises OSError where the folder cannot be written.
    """
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = []
    with file_lock(home / ".handed-out.lock"):
        for source, target in HANDED_OUT:
            (home / target).mkdir(exist_ok=True)
            for page in sorted((course / source).glob("*.ipynb")):
                copy = home / target / page.name
                if not copy.exists():
                    part = copy.with_name(f".{copy.name}.part")  # never a half page under the right name
                    shutil.copyfile(page, part)
                    part.replace(copy)
                    new.append(f"{target}/{page.name}")
        for name, text in files.items():
            path = home / name
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
                new.append(name)
    return new
