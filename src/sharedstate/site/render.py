"""Calls Sphinx (myst-nb, furo). Nothing on a page is asked of another address: formulas are MathML, made here."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sharedstate import __version__

HERE = Path(__file__).parent
SCRIPTS = ("schedule.js", "box.js", "page.js")
PALETTES = ("#0066a1", "#56b4e9")  # the palette's blue, a little darker, and its light one: contrast over 4.5
DARK_CODE = "a11y-high-contrast-dark"
NEUTRAL = MappingProxyType({"color-problematic": "inherit"})
CONFIG: Mapping[str, Any] = MappingProxyType({
    "project": "Shared State Lab",
    "html_title": "Shared State Lab",
    "version": __version__,
    "extensions": ["myst_nb", "sphinx.ext.autodoc", "sharedstate.site.render"],
    "html_theme": "furo",
    "html_theme_options": {
        "light_css_variables": {"color-brand-primary": PALETTES[0], "color-brand-content": PALETTES[0], **NEUTRAL},
        "dark_css_variables": {"color-brand-primary": PALETTES[1], "color-brand-content": PALETTES[1], **NEUTRAL},
    },
    "html_static_path": [str(HERE / "static")],
    "html_css_files": ["site.css"],
    "html_js_files": list(SCRIPTS),
    "html_math_renderer": "mathml",
    "html_favicon": str(HERE / "static" / "icon.svg"),
    "html_show_copyright": False,
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "nb_execution_mode": "off",
    "nb_ipywidgets_js": {},
    "nb_merge_streams": True,
    "nb_code_prompt_show": "Show the {type}",
    "nb_code_prompt_hide": "Hide the {type}",
    "myst_enable_extensions": ["dollarmath"],
    "myst_heading_anchors": 3,
    "autodoc_typehints": "signature",
    "autodoc_member_order": "bysource",
    "pygments_style": "a11y-high-contrast-light",
    "language": "en",
    # A second build in one process registers again what docutils keeps for the process.
    "suppress_warnings": ["app.add_node", "app.add_directive", "app.add_role", "app.add_generic_role"],
})


def render(source: Path, out: Path) -> list[str]:
    """Build the HTML of a laid-out source; return Sphinx's warnings, a line each."""
    from sphinx.application import Sphinx

    warnings = io.StringIO()
    app = Sphinx(str(source), None, str(out), str(source.with_name("doctrees")), "html", confoverrides=dict(CONFIG),
                 status=None, warning=warnings, freshenv=True)  # fmt: skip
    app.build(force_all=True)
    return [line for line in warnings.getvalue().splitlines() if line.strip()]


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer of formulas, and choose the theme's colours of code; Sphinx calls this."""
    app.connect("builder-inited", _colour, priority=1)  # the theme makes its value known before, and reads it after
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _colour(app: Any) -> None:
    """Choose the colours of code on a dark page."""
    app.config.pygments_dark_style = DARK_CODE


def mathml(latex: str, block: bool) -> str:
    """Return a formula as MathML, which browsers draw without a script. Raises MathError for LaTeX it cannot read."""
    from docutils.utils.math import latex2mathml

    return latex2mathml.tex2mathml(latex, as_block=block)


def _inline(translator: Any, node: Any) -> None:
    """Write a formula within a line."""
    _write(translator, node, False)


def _block(translator: Any, node: Any) -> None:
    """Write a formula on a line of its own."""
    _write(translator, node, True)


def _write(translator: Any, node: Any, block: bool) -> None:
    """Put a formula into the page; its own text is not written again."""
    from docutils.nodes import SkipNode

    translator.body.append(mathml(node.astext(), block))
    raise SkipNode
