// Python in a worker of its own: a program that never ends is stopped by ending the worker.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const here = new URL("./", self.location).href;

async function start() {
  const python = await loadPyodide({ indexURL: here + "pyodide/", stdout: () => {}, stderr: () => {} });
  const fetched = await fetch(here + "sharedstate.zip");
  const path = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(await fetched.arrayBuffer(), "zip", { extractDir: path });
  return python.runPython("from sharedstate.site.desk import Desk\nDesk()");
}

const desk = start();
desk.then(
  () => self.postMessage({ id: 0 }),
  (problem) => self.postMessage({ id: 0, failed: String(problem) }),
);

self.onmessage = async ({ data }) => {
  try {
    const answer = (await desk).answer(JSON.stringify(data.request));
    self.postMessage({ id: data.id, answer: JSON.parse(answer) });
  } catch (problem) {
    self.postMessage({ id: data.id, failed: String(problem) });
  }
};
