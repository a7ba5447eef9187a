// Builds the page into the Python package. Not minified: what ships can be read and reviewed.
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = new URL("src/", import.meta.url);
const target = process.argv[2] ?? fileURLToPath(new URL("../src/sagequeue/ui/built/", import.meta.url));

await build({
  entryPoints: [fileURLToPath(new URL("page.tsx", source)), fileURLToPath(new URL("page.css", source))],
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  outdir: target,
  banner: { js: `// made by client/ui/build.js from sources with the digest ${digest()}` },
  logLevel: "warning",
});
for (const file of ["index.html", "icon.svg", "hosted.json"]) cpSync(new URL(file, source), `${target}/${file}`);

// Over names and contents in order; tests/unit/sagequeue/ui computes the same.
function digest() {
  const sum = createHash("sha256");
  const sources = readdirSync(source).sort();
  for (const name of [...sources.map((file) => `src/${file}`), "build.js", "package.json"]) {
    sum.update(`${name}\n`).update(readFileSync(new URL(name, import.meta.url)));
  }
  return sum.digest("hex");
}
