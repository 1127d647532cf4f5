"""Lesson 06 in a real JupyterLab: it runs, the context panel counts and measures, the planner refuses and plans."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .lab import Lab


def shown(lab: Lab, call: str, css: str) -> Locator:
    """Scroll to the cell that makes a panel and return the panel."""
    lab.show_cell(lab.cell(call))
    found = lab.page.locator(css)
    expect(found).to_be_visible(timeout=30_000)
    return found


def test_the_panels_of_lesson_06(lab: Lab) -> None:
    lab.open_notebook("notebooks/06_kv_cache.ipynb")
    lab.run_all()
    assert lab.errors() == []
    context = shown(lab, "display(context_panel())", ".ss-context-panel")
    expect(context.locator(".ss-line")).to_contain_text("2,048 tokens")
    context.locator(".noUi-handle").first.focus()
    lab.page.keyboard.press("ArrowLeft")
    expect(context.locator(".ss-line")).to_contain_text("1,024 tokens")
    context.locator(".ss-clock").click()
    expect(context.locator(".ss-measured")).to_contain_text("times as long", timeout=60_000)
    lab.screenshot("lesson_06_context_panel", context)
    memory = shown(lab, "memory_panel()", ".ss-memory-panel")
    expect(memory.locator(".ss-line")).to_contain_text("do not fit. What would: 2 slots")
    lab.screenshot("lesson_06_memory_panel_refuses", memory)
    memory.locator(".ss-kv-heads select").select_option(label="8")
    expect(memory.locator(".ss-line")).to_contain_text("8 slots of 4,096 tokens fit.")
    lab.screenshot("lesson_06_memory_panel", memory)
    assert lab.errors() == []
