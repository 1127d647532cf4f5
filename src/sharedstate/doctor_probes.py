"""The slow checks of `doctor`, each in a process of its own: a kernel's start, torch's import."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from sharedstate import devices
from sharedstate.doctor import Finding
from sharedstate.doctor_checks import installed

PATIENCE = 60  # seconds
KERNEL = """
import json, time
started = time.perf_counter()
from jupyter_client.manager import start_new_kernel
manager, client = start_new_kernel(startup_timeout=50)
try:
    reply = client.execute_interactive("import sharedstate", timeout=30, output_hook=lambda message: None)
    answer = {"status": reply["content"]["status"], "error": reply["content"].get("evalue", "")}
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
print(json.dumps({**answer, "seconds": time.perf_counter() - started}))
"""
TORCH = """
import json, torch
cuda = torch.cuda.is_available()
print(json.dumps({"version": torch.__version__, "cuda": torch.cuda.get_device_name(0) if cuda else "",
                  "built": torch.version.cuda or "", "threads": torch.get_num_threads()}))
"""
WITHOUT = "GPU cells run small on the CPU here and say so"


class Probe:
    """A child Python that prints one JSON object; started at once, asked later."""

    def __init__(self, name: str, code: str, patience: float = PATIENCE) -> None:
        self.name, self.patience = name, patience
        self._folder = tempfile.TemporaryDirectory()
        runtime = {
            "JUPYTER_RUNTIME_DIR": self._folder.name
        }  # a connection file that goes away with the probe
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **runtime},
        )

    def answer(self) -> dict[str, Any]:
        """Wait for the answer; {"failed": why} when there is none."""
        try:
            out, err = self._process.communicate(timeout=self.patience)
            return json.loads(out.splitlines()[-1])
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
            return {"failed": f"no answer within {self.patience:g} s"}
        except (IndexError, ValueError):
            return {"failed": (err.strip().splitlines() or [f"exit code {self._process.returncode}"])[-1]}
        finally:
            self._folder.cleanup()


def kernel(answer: dict[str, Any]) -> Finding:
    """Judge what the kernel's probe said."""
    failed = answer.get("failed") or (answer.get("status") != "ok" and (answer.get("error") or "no reply"))
    if failed:
        remedy = (
            f'"{sys.executable}" -m pip install --force-reinstall --no-deps ipykernel jupyter_client pyzmq'
        )
        return Finding("kernel", "problem", f"does not start: {failed}", remedy)
    return Finding("kernel", "ok", f"starts and imports the course, {answer['seconds']:.1f} s")


def kernel_unasked() -> Finding:
    """Say that no kernel was started."""
    return Finding("kernel", "note", "not started (--quick)")


def torch(answer: dict[str, Any]) -> list[Finding]:
    """Judge what torch's probe said: the package, and what GPU cells will do."""
    if "failed" in answer:
        remedy = f'"{sys.executable}" -m pip install --force-reinstall -c requirements.lock torch'
        return [Finding("torch", "problem", f"cannot be imported: {answer['failed']}", remedy)]
    package = Finding("torch", "ok", f"{answer['version']}, {answer['threads']} threads")
    if answer["cuda"]:
        return [package, Finding("GPU", "ok", f"{answer['cuda']}: GPU cells run there")]
    why = "no CUDA device" if answer["built"] else "torch without CUDA"
    return [package, Finding("GPU", "note", f"{why}: {WITHOUT}; {devices.summary()}")]


def torch_unasked() -> list[Finding]:
    """Say what is known of torch without importing it."""
    return [Finding("torch", "note", f"{installed('torch') or 'not installed'}, not imported (--quick)")]
