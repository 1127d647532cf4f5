"""Puts course/ inside the package that is built: whoever installs a wheel can check labs without this checkout."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithCourse(build_py):
    """Copies course/ to sharedstate/course/; an editable installation reads the checkout's own."""

    def run(self) -> None:
        """Build the package, then add the course."""
        super().run()
        if not self.editable_mode:
            target = Path(self.build_lib) / "sharedstate" / "course"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(Path(__file__).parent / "course", target, ignore=shutil.ignore_patterns("__pycache__"))


setup(cmdclass={"build_py": BuildWithCourse})
