// A schedule, drawn as SVG or as a table, is walked through step by step: buttons, or arrow keys, Home and End.
"use strict";

(() => {
  const DRAWN = ".ss-trace-svg, .ss-trace";

  function words(step) {
    const title = step.querySelector("title");
    if (title) { return title.textContent; }
    const cell = [...step.querySelectorAll("td")].find((one) => one.textContent.trim());
    const access = cell && cell.querySelector("b");
    return `${step.dataset.thread} ${access ? access.textContent : ""}`;
  }

  function button(label, name, move) {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.className = name;
    made.addEventListener("click", move);
    return made;
  }

  function walk(drawn) {
    const steps = [...drawn.querySelectorAll("[data-step]")].filter((step) => !step.parentElement.closest("[data-step]"));
    if (steps.length < 2 || drawn.closest(".ss-walk")) { return; }
    const box = document.createElement("div");
    box.className = "ss-walk";
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "A schedule, step by step: use the arrow keys");
    const said = document.createElement("span");
    said.className = "ss-said";
    said.setAttribute("role", "status");
    const place = document.createElement("div");
    place.className = "ss-drawn";
    let at = steps.length; // so many steps are shown; all of them at first

    function show(to, whole) {
      at = Math.max(whole ? steps.length : 1, Math.min(to, steps.length));
      steps.forEach((step, k) => {
        step.style.visibility = k < at ? "" : "hidden";
        step.classList.toggle("ss-now", !whole && k === at - 1);
      });
      box.dataset.at = whole ? "whole" : at;
      said.textContent = whole
        ? `${steps.length} steps. Walk through them with the buttons or the arrow keys.`
        : `Step ${at} of ${steps.length}: ${words(steps[at - 1])}`;
      if (!whole) { follow(); }
    }
    function follow() { // on a narrow page the picture is wider than its place
      const step = steps[at - 1].getBoundingClientRect(), seen = place.getBoundingClientRect();
      if (step.left < seen.left || step.right > seen.right) { place.scrollLeft += step.left - seen.left - 40; }
    }
    const on = () => show(box.dataset.at === "whole" ? 1 : at + 1, false);
    const back = () => show(box.dataset.at === "whole" ? steps.length : at - 1, false);
    const all = () => show(steps.length, true);
    const bar = document.createElement("div");
    bar.className = "ss-bar";
    bar.append(button("◀ Back", "ss-back", back), button("Step ▶", "ss-on", on), button("Whole", "ss-whole", all), said);
    drawn.replaceWith(box);
    place.append(drawn);
    box.append(bar, place);
    const keys = { ArrowRight: on, ArrowDown: on, ArrowLeft: back, ArrowUp: back, Home: () => show(1, false), End: all };
    box.addEventListener("keydown", (event) => {
      if (keys[event.key] && !event.altKey && !event.ctrlKey && !event.metaKey) {
        event.preventDefault();
        keys[event.key]();
      }
    });
    all();
  }

  const steppable = (root) => root.querySelectorAll(DRAWN).forEach(walk);
  window.sharedstate = { steppable };
  document.addEventListener("DOMContentLoaded", () => {
    steppable(document);
  });
})();
