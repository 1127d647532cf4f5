// What the theme leaves out: headings of the side bar have a level, and what scrolls sideways is reached by keyboard.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll('p.caption[role="heading"]').forEach((caption) => caption.setAttribute("aria-level", "2"));
  const sides = { ".sidebar-drawer": "All pages", ".toc-drawer": "On this page" };
  for (const [side, label] of Object.entries(sides)) {
    document.querySelectorAll(side).forEach((aside) => aside.setAttribute("aria-label", label));
  }
  // The words inside name it better.
  document.querySelectorAll("summary[aria-label]").forEach((summary) => summary.removeAttribute("aria-label"));
  document.querySelectorAll("pre, .table-wrapper, .ss-drawn, .cell_output .text_html").forEach((wide) => { wide.tabIndex = 0; });
});
