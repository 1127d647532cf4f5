"""A panel whose kernel has ended says so: without it a click would do nothing, and nobody would know why."""

from __future__ import annotations

from typing import Any

DEAD = "This panel's kernel was restarted or stopped. Run its cell again to use it."
CUT = "jupyter-widgets-disconnected"  # JupyterLab puts this class on a widget when its kernel goes
STYLE = f"""<style>
.ss-alive.{CUT}::before {{
  content: "{DEAD}"; display: block; padding: 4px 10px; margin-bottom: 4px;
  font: bold 13px sans-serif; color: #222; background: #FBE3D3; border-left: 6px solid #D55E00; }}
.ss-alive .{CUT}::before {{ display: none; }}
.ss-alive.{CUT} > * {{ opacity: 0.45; pointer-events: none; }}
</style>"""


def alive(panel: Any) -> Any:
    """Return the panel (a box of widgets), which from now on shows a line above itself once its kernel has ended."""
    import ipywidgets

    panel.add_class("ss-alive")
    panel.children = (*panel.children, ipywidgets.HTML(STYLE, layout={"display": "none"}))
    return panel
