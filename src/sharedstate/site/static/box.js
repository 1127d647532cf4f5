// The boxes: a program is sent to Python in the worker, and its verdict and schedule are shown.
"use strict";

(() => {
  const HERE = new URL("./", document.currentScript.src);
  const PATIENCE = 20; // seconds for one answer: the search itself takes at most eight
  const SERVE = "This page was opened as a file, and Python needs a server: python run.py site --serve";

  // One Python for all boxes of a page. It starts when the first box comes near, and anew when it had to be ended.
  const python = {
    worker: null, ready: null, waiting: new Map(), number: 0,

    start() {
      if (this.worker) { return this.ready; }
      this.worker = new Worker(new URL("worker.mjs", HERE), { type: "module" });
      this.ready = new Promise((resolve, reject) => {
        this.worker.onmessage = ({ data }) => {
          if (data.id === 0) {
            if (data.failed) { reject(new Error(data.failed)); } else { resolve(); }
            return;
          }
          const asked = this.waiting.get(data.id);
          this.waiting.delete(data.id);
          if (asked && data.failed) { asked.reject(new Error(data.failed)); } else if (asked) { asked.resolve(data.answer); }
        };
        this.worker.onerror = (problem) => reject(new Error(problem.message || "the worker did not start"));
      });
      this.ready.catch(() => {});
      return this.ready;
    },

    async ask(request) {
      await this.start();
      const id = ++this.number;
      const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
      const clock = setTimeout(() => this.end(`stopped after ${PATIENCE} seconds: it did not come to an end.`), 1000 * PATIENCE);
      this.worker.postMessage({ id, request });
      return answer.finally(() => clearTimeout(clock));
    },

    end(why) {
      if (!this.worker) { return; }
      this.worker.terminate();
      this.worker = null;
      const asked = [...this.waiting.values()];
      this.waiting.clear();
      this.start();
      asked.forEach(({ reject }) => reject(new Error(`${why} A new Python starts.`)));
    },
  };

  function add(place, tag, text, kind) {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) { made.className = kind; }
    place.append(made);
    return made;
  }

  function list(place, title, lines) {
    if (!lines || !lines.length) { return; }
    add(place, "p", title, "ss-head");
    const items = add(place, "ul", "");
    lines.forEach((line) => add(items, "li", line));
  }

  // Shows what is said and drawn; `part` and `line` of a fault are marked in the program.
  function show(box, answer) {
    const status = box.querySelector(".ss-status"), result = box.querySelector(".ss-result");
    status.textContent = answer.said;
    status.dataset.verdict = answer.verdict || "";
    status.classList.toggle("ss-good", Boolean(answer.good));
    status.classList.toggle("ss-bad", answer.good === false);
    result.replaceChildren();
    (answer.lines || []).forEach((line) => add(result, "p", line));
    if (answer.svg) { add(result, "div", "").innerHTML = answer.svg; }
    list(result, "What to fix", answer.advice);
    list(result, "Every outcome, and how many of the tried orders end in it", answer.outcomes);
    window.sharedstate.steppable(result);
    if (answer.part) { mark(box.querySelector(`.ss-${answer.part}`), answer.line); }
  }

  function mark(field, line) {
    const before = field.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    const end = field.value.indexOf("\n", before);
    const fold = field.closest("details");
    if (fold) { fold.open = true; }
    field.focus();
    field.setSelectionRange(before, end < 0 ? field.value.length : end);
    field.setAttribute("aria-invalid", "true");
    if (field.rows) { field.scrollTop = (line - 3) * (field.scrollHeight / field.value.split("\n").length); }
  }

  // Asks Python; on the way the box says how long it has been at it, and can be stopped.
  async function ask(box, request) {
    const status = box.querySelector(".ss-status"), stop = box.querySelector(".ss-stop"), began = Date.now();
    status.className = "ss-status";
    box.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
    box.dataset.busy = "yes";
    const told = setInterval(() => { status.textContent = `Working, ${Math.round((Date.now() - began) / 1000)} s …`; }, 1000);
    stop.hidden = false;
    stop.onclick = () => python.end("stopped.");
    try {
      return await python.ask(request);
    } catch (problem) {
      const file = location.protocol === "file:" ? SERVE : problem.message;
      return { said: file, verdict: "stopped", good: false };
    } finally {
      clearInterval(told);
      stop.hidden = true;
      delete box.dataset.busy;
    }
  }

  function program(box) {
    const fields = ["before", "shown", "ask"].map((part) => [part, box.querySelector(`.ss-${part}`)]);
    const every = box.querySelector(".ss-every"), status = box.querySelector(".ss-status");
    every.addEventListener("click", async () => {
      every.disabled = true;
      const texts = Object.fromEntries(fields.map(([part, field]) => [part, field.value]));
      const answer = await ask(box, { kind: "explore", ...texts });
      every.disabled = false;
      every.focus({ preventScroll: true });
      show(box, answer);
    });
    box.querySelector(".ss-reset").addEventListener("click", () => {
      fields.forEach(([, field]) => { field.value = field.defaultValue; field.removeAttribute("aria-invalid"); });
      show(box, { said: "The program is as it was." });
    });
    box.querySelectorAll("textarea").forEach((field) => field.addEventListener("keydown", (event) => indent(field, event)));
    return () => { status.textContent = "Python is ready. Press the button."; };
  }

  // Enter keeps the indentation, one level more after a colon. Tab goes on to the next field, as everywhere.
  function indent(field, event) {
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) { return; }
    const line = field.value.slice(0, field.selectionStart).split("\n").pop();
    const spaces = line.match(/^ */)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : "");
    event.preventDefault();
    document.execCommand("insertText", false, "\n" + spaces);
  }

  function game(box) {
    const chooser = box.querySelector(".ss-level"), undo = box.querySelector(".ss-undo");
    let moves = [];

    async function play(to) {
      box.querySelectorAll(".ss-moves button, .ss-undo, .ss-reset").forEach((one) => { one.disabled = true; });
      const pressed = document.activeElement && document.activeElement.dataset.seat;
      const answer = await ask(box, { kind: "game", level: chooser.value, moves: to });
      box.querySelector(".ss-reset").disabled = undo.disabled = false;
      if (answer.seats) { moves = to; }
      show(box, { ...answer, good: answer.won || (answer.verdict === "stopped" ? false : undefined) });
      if (!answer.seats) { return; }
      undo.disabled = !moves.length;
      box.dataset.moves = moves.length;
      box.querySelector(".ss-story").innerHTML = answer.story;
      box.querySelector(".ss-story pre").tabIndex = 0;
      box.querySelector(".ss-shared").innerHTML = answer.board;
      const place = box.querySelector(".ss-moves");
      place.replaceChildren();
      answer.seats.forEach((seat) => {
        const button = add(place, "button", `${seat.name}: ${seat.said}`);
        button.type = "button";
        button.dataset.seat = seat.name;
        button.disabled = !seat.enabled;
        button.addEventListener("click", () => play([...moves, seat.name]));
        if (pressed === seat.name && seat.enabled) { button.focus({ preventScroll: true }); }
      });
    }
    chooser.addEventListener("change", () => { moves = []; play([]); });
    undo.addEventListener("click", () => play(moves.slice(0, -1)));
    box.querySelector(".ss-reset").addEventListener("click", () => play([]));
    return () => play([]);
  }

  document.addEventListener("DOMContentLoaded", () => {
    const near = new IntersectionObserver((seen) => seen.filter((one) => one.isIntersecting).forEach(async ({ target }) => {
      near.unobserve(target);
      const ready = target.classList.contains("ss-play") ? game(target) : program(target);
      const status = target.querySelector(".ss-status");
      status.textContent = "Python starts …";
      try {
        await python.start();
        if (!target.dataset.busy && status.textContent === "Python starts …") { ready(); }
      } catch (problem) {
        status.textContent = location.protocol === "file:" ? SERVE : `Python did not start: ${problem.message}`;
      }
    }), { rootMargin: "300px" });
    document.querySelectorAll(".ss-box").forEach((box) => {
      box.querySelector(".ss-status").textContent = "Python starts when you come here.";
      near.observe(box);
    });
  });
})();
