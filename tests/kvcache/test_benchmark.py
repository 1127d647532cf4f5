"""The benchmark of the cache runs and gives flat figures; what they are depends on the machine."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from sharedstate.commands import bench


def test_one_round_gives_every_figure() -> None:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "kvcache.py"
    spec = importlib.util.spec_from_file_location("benchmark_kvcache", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.LENGTHS, module.LONG, module.GROUPED = (8, 16, 32, 64, 48), (96, 128), (4, 2, 64, 8)
    figures = module.one_round(module.model(128)) | module.steps(module.model(128), 48)
    wanted = {"tags_on_over_off", "grouped_attention_over_product", "uncached_over_cached_48"}
    assert wanted <= set(figures)
    assert all(value > 0 for value in figures.values())
    assert bench.checked("kvcache", {**figures, "spread": dict.fromkeys(figures, 0.0)})
