// A field for the text of a file, with line numbers, and with each problem at its line.

import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Problem } from "./config_contract.ts";

/** Of `.text-field` in config.css, in pixels. */
const LINE = 18;
/** Lines in sight above one that was gone to. */
const MARGIN = 3;

interface TextFieldProps {
  label: string;
  text: string;
  problems: readonly Problem[];
  onText: (text: string) => void;
}

export function TextField({ label, text, problems, onText }: TextFieldProps) {
  const frame = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const lines = useMemo(() => text.split("\n"), [text]);
  const numbers = useMemo(() => lines.map((_, index) => index + 1).join("\n"), [lines.length]);
  const widest = useMemo(() => lines.reduce((most, line) => Math.max(most, line.length), 0), [lines]);
  useEffect(() => area.current?.focus({ preventScroll: true }), []);
  useEffect(() => frame.current?.scrollIntoView({ block: "nearest" }), []);

  function goTo(line: number): void {
    const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
    area.current?.focus();
    area.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    if (frame.current) frame.current.scrollTop = (line - 1 - MARGIN) * LINE;
  }

  return (
    <>
      <div class="text-field" ref={frame}>
        <pre aria-hidden="true">{numbers}</pre>
        <div>
          <textarea
            ref={area}
            aria-label={label}
            aria-invalid={problems.length > 0}
            aria-describedby="text-problems"
            wrap="off"
            spellcheck={false}
            autocomplete="off"
            rows={lines.length}
            cols={widest + 1}
            value={text}
            onInput={(event) => onText(event.currentTarget.value)}
          />
          {atLines(problems).map(([line, message]) => (
            <div key={line} class="at-line" aria-hidden="true" style={{ top: `${(line - 1) * LINE}px` }}>
              <span>{lines[line - 1]}</span>
              <strong>{message}</strong>
            </div>
          ))}
        </div>
      </div>
      <div id="text-problems" role="alert">
        {problems.length > 0 && <ProblemList problems={problems} onLine={goTo} />}
      </div>
    </>
  );
}

function ProblemList({ problems, onLine }: { problems: readonly Problem[]; onLine: (line: number) => void }) {
  return (
    <ul class="problems">
      {problems.map(({ line, field, message }) => (
        <li key={`${line} ${field} ${message}`}>
          {line !== null && (
            <button type="button" class="plain link" onClick={() => onLine(line)}>
              Line {line}
            </button>
          )}{" "}
          {field && <strong>{field}</strong>} {message}
        </li>
      ))}
    </ul>
  );
}

/** Inserts at the cursor of a text field, as if it were typed: the browser can undo it. */
export function insertInto(label: string, text: string): void {
  document.querySelector<HTMLTextAreaElement>(`textarea[aria-label="${CSS.escape(label)}"]`)?.focus();
  document.execCommand("insertText", false, text);
}

/** Returns the problems of each line as one text. */
function atLines(problems: readonly Problem[]): [number, string][] {
  const texts = new Map<number, string>();
  for (const { line, message } of problems) {
    if (line === null) continue;
    const before = texts.get(line);
    texts.set(line, before ? `${before}; ${message}` : message);
  }
  return [...texts];
}
