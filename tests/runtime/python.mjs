// Runs run.py on CPython compiled to WebAssembly: `node python.mjs FOLDER`, where FOLDER is what the Makefile made.
// A worker can have the deep stack that tests of deep nesting need.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker, isMainThread, workerData } from "node:worker_threads";

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[2], resourceLimits: { stackSizeMb: 64 } });
  worker.on("exit", (code) => process.exit(code));
} else {
  [process.stdin.fd, process.stdout.fd, process.stderr.fd] = [0, 1, 2]; // Python uses them, and a worker's streams have none
  const { loadPyodide } = await import(pathToFileURL(resolve(workerData, "package/pyodide.mjs")));
  const python = await loadPyodide();
  python.mountNodeFS("/checkout", process.cwd());
  python.mountNodeFS("/opt", resolve(workerData, "layer")); // as Lambda has it
  python.mountNodeFS("/tools", resolve(workerData, "tools"));
  try {
    python.runPython(readFileSync(new URL("run.py", import.meta.url), "utf8"), { filename: "tests/runtime/run.py" });
  } catch (error) {
    // SystemExit brings the result of the tests. Of other errors only the message is shown: the stack has the interpreter.
    const result = /SystemExit: (\d+)\s*$/.exec(error.message);
    if (!result) console.log(error.message);
    process.exit(result ? Number(result[1]) : 1);
  }
}
